# The parts of tests-c/run: directives, compiling, running, judging.

# A word of the header comment, as in " * signal: ABRT".
directive() {
    sed -n -e '/^ \*\//q' -e "s/^ \* $2: //p" "$1"
}

# One result a line, "pass", "fail" or "skip": several runs end at a time.
result() {
    local kind=$1 name=$2 text=${3-}
    {
        flock 9
        echo "$kind" >>"$results"
        case $kind in
            fail) printf 'FAIL %s\n%s\n' "$name" "$(sed 's/^/     /' <<<"$text")" ;;
            skip) printf 'SKIP %s: %s\n' "$name" "$text" ;;
        esac
    } 9>>"$results"
}

newer() {
    local target=$1 source
    shift
    [ -e "$target" ] || return 0
    for source; do
        [ "$source" -nt "$target" ] && return 0
    done
    return 1
}

# compile SOURCE WAY: leaves the program, or prints why not.
compile() {
    local source=$1 way=$2 base flags compiler=gcc
    base=$out/$(name_of "$source")
    flags="-O1 -g -fno-builtin -Wall -pthread -I$root/include $(directive "$source" flags)"
    case $source in *.cc) compiler=g++ flags="-std=gnu++17 -fno-allocation-dce $flags" ;; esac
    mkdir -p "$(dirname "$base")"
    if newer "$base.o" "$source" "$here"/lib/*.h; then
        $compiler $flags -c -o "$base.o" "$source" || return 1
    fi
    case $way in
        control | preload)
            newer "$base" "$base.o" || return 0
            $compiler -o "$base" "$base.o" $flags ;;
        so)
            newer "$base.so" "$base.o" "$build/liblohalloc.so" || return 0
            $compiler -o "$base.so" "$base.o" $flags "-L$build" -Wl,--no-as-needed \
                -llohalloc "-Wl,-rpath,$build" ;;
        a)
            newer "$base.a" "$base.o" "$build/liblohalloc.a" || return 0
            $compiler -o "$base.a" "$base.o" "$build/liblohalloc.a" $flags ;;
    esac
}

compile_plugin() {
    local target=$out/plugins/$1.so source=$here/plugins/$1.c compiler=gcc
    [ -e "$source" ] || source=${source}c compiler=g++
    mkdir -p "$out/plugins"
    newer "$target" "$source" || return 0
    $compiler -O1 -g -fno-builtin -Wall -shared -fPIC $(directive "$source" flags) \
        -o "$target.$BASHPID" "$source" &&
        mv "$target.$BASHPID" "$target"
}

signal_name() {
    if [ "$1" -gt 128 ]; then kill -l $(($1 - 128)); else echo "exit $1"; fi
}

# What a run must have left: prints each point that is not so.
judge() {
    local source=$1 status=$2 errors=$3 way=$4 signal regex
    signal=$(directive "$source" signal)
    regex=$(directive "$source" stderr)
    if [ "$status" = 124 ] || [ "$status" = 137 ]; then
        echo "timed out"
    elif [ -n "$signal" ]; then
        [ "$status" -gt 128 ] && [[ " $signal " == *" $(signal_name "$status") "* ]] ||
            echo "ended with $(signal_name "$status"), expected $signal"
    elif [ "$status" != 0 ]; then
        echo "ended with $(signal_name "$status"), expected exit 0"
    fi
    if [ -n "$regex" ]; then
        [ "$way" = control ] && return
        [ "$(wc -l <"$errors")" = 1 ] && grep -qE -- "$regex" "$errors" ||
            echo "stderr is not one line like: $regex"
    elif [ -s "$errors" ]; then
        echo "unexpected stderr"
    fi
}

run_one() {
    local source=$1 way=$2 force=$3 name=$4
    local program work status=0 wrong plugin limit log
    local -a environment=() arguments=()
    program=$out/$(name_of "$source")
    work=$(mktemp -d "$out/work.XXXXXX")
    log=$work/compile
    plugin=$(directive "$source" plugin)
    if ! compile "$source" "$way" >"$log" 2>&1 ||
        { [ -n "$plugin" ] && ! compile_plugin "$plugin" >>"$log" 2>&1; } || [ -s "$log" ]; then
        result fail "$name" "compiler: $(head -40 "$log")"
        rm -rf "$work"
        return
    fi
    [ -n "$plugin" ] && arguments+=("$out/plugins/$plugin.so")
    mapfile -t environment < <(directive "$source" env)
    [ -n "$force" ] && environment+=("LOHALLOC_OPTIONS=force:$force")
    environment+=("TEST_WAY=$way")
    case $way in
        preload) environment+=("LD_PRELOAD=$library") ;;
        control) [ -n "$other" ] && environment+=("LD_PRELOAD=$library") ;;
        *) program=$program.$way ;;
    esac
    limit=$(directive "$source" timeout)
    mkdir "$work/cwd"
    { (cd "$work/cwd" && exec timeout -k 2 "${limit:-30}" env "${environment[@]}" \
        "$program" "${arguments[@]}" </dev/null >"$work/out" 2>"$work/err"); } 2>/dev/null
    status=$?
    if [ "$status" = 77 ]; then
        result skip "$name" "$(head -1 "$work/out")"
    else
        wrong=$(judge "$source" "$status" "$work/err" "$way")
        if [ -n "$wrong" ]; then
            result fail "$name" "$wrong
$(head -c 2000 "$work/out" | head -20 | sed 's/^/stdout: /')
$(head -c 2000 "$work/err" | head -20 | sed 's/^/stderr: /')"
        else
            result pass "$name"
        fi
    fi
    rm -rf "$work"
}

# The header must be good C and C++ in every dialect that we promise: alone, and before and behind
# libc's own, whose names it may declare again.
check_header() {
    local dialect=$1 language=c compiler=gcc headers log
    [[ $dialect == c++* ]] && language=c++ compiler=g++
    [ -e "$root/include/lohalloc.h" ] || { result fail "header [$dialect]" "no include/lohalloc.h"; return; }
    for headers in lohalloc.h "lohalloc.h stdlib.h malloc.h" "stdlib.h malloc.h lohalloc.h"; do
        if ! log=$({ printf '#include <%s>\n' $headers
            echo 'int main(void) { free_sized(NULL, 1); return lohalloc_version()[0] == 0; }'; } |
            $compiler -x "$language" -std="$dialect" -Wall -Wextra -Wpedantic -Werror \
                "-I$root/include" -fsyntax-only - 2>&1); then
            result fail "header [$dialect]" "with $headers: $log"
            return
        fi
    done
    result pass "header [$dialect]"
}

# Two at a time. Names are matched before anything is compiled.
running=0
start() {
    if [ "$running" -ge 2 ]; then
        wait -n
        running=$((running - 1))
    fi
    "$@" &
    running=$((running + 1))
}

# All ways of one program in a row: they share its object file.
run_program() {
    local source=$1 base way force name allowed
    base=$(name_of "$source")
    allowed=$(directive "$source" ways)
    for way in ${ways//,/ }; do
        name="$base [$way]"
        [[ $name =~ $filter ]] || continue
        if [ "$way" = control ]; then
            if [ "$(directive "$source" only)" = lohalloc ]; then
                result skip "$name" "a promise of lohalloc alone"
                continue
            fi
        elif [ -n "$allowed" ] && [[ " $allowed " != *" $way "* ]]; then
            continue
        fi
        run_one "$source" "$way" "" "$name"
    done
    [[ ,$ways, == *,preload,* ]] || return 0
    for force in $(directive "$source" force); do
        name="$base [preload force:$force]"
        [[ $name =~ $filter ]] && run_one "$source" preload "$force" "$name"
    done
}

queue_all() {
    local source dialect
    for source in "$here"/*/*.c "$here"/*/*.cc; do
        case $source in "$here"/plugins/*) continue ;; esac
        start run_program "$source"
    done
    if [ -z "$control" ]; then
        for dialect in c11 c17 c2x c++17 c++20; do
            [[ "header [$dialect]" =~ $filter ]] && start check_header "$dialect"
        done
    fi
    wait
}

# The closing line, and the exit status of the whole.
finish() {
    local passed failed skipped
    passed=$(grep -c pass "$results")
    failed=$(grep -c fail "$results")
    skipped=$(grep -c skip "$results")
    [ $((passed + failed + skipped)) -gt 0 ] || { echo "no test is called like $filter"; exit 2; }
    if [ "$skipped" -gt 0 ]; then
        echo "$passed passed, $failed failed, $skipped skipped"
    else
        echo "$passed passed, $failed failed"
    fi
    [ "$failed" = 0 ]
}
