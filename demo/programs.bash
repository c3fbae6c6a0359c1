# The programs of the demo: how to get them, and one run of each.
# A run gets an arm (system or lohalloc) and a file for its figures: lines "time s", "cpu s",
# "peak KiB", "after KiB", "served blocks".

install_programs() {
    local missing=() as_root=()
    command -v redis-server >/dev/null || missing+=(redis-server)
    command -v redis-benchmark >/dev/null || missing+=(redis-tools)
    command -v sqlite3 >/dev/null || missing+=(sqlite3)
    command -v python3 >/dev/null || missing+=(python3)
    [ ${#missing[@]} = 0 ] && return
    if [ "$(id -u)" != 0 ]; then
        as_root=(sudo -n)
        command -v sudo >/dev/null || { say "not root and no sudo: going on without ${missing[*]}"; return; }
    fi
    command -v apt-get >/dev/null || { say "no apt-get: going on without ${missing[*]}"; return; }
    say "installing ${missing[*]}"
    # A server that the package would start has no part in the demo.
    { "${as_root[@]}" apt-get update -qq &&
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 \
            apt-get install -y -qq --no-install-recommends "${missing[@]}"; } >/dev/null 2>&1 ||
        say "apt-get could not install ${missing[*]}: going on without what is missing"
}

has_redis() {
    command -v redis-server >/dev/null && command -v redis-benchmark >/dev/null && command -v redis-cli >/dev/null
}

# Finds the interpreter itself: a wrapper in the path, as some set-ups have, would be measured too.
has_python() {
    python=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null)
    [ -x "$python" ]
}

# Makes `with` the command that runs a program under an arm; lohalloc's own line at exit goes to a
# file.
choose() {
    with=(env LD_PRELOAD="$libc")
    rm -f "$scratch/proof"
    [ "$1" = system ] || with=(env LD_PRELOAD="$library" LOHALLOC_STATS="$scratch/proof")
}

# The last line is the program's own: its children end before it.
served() {
    [ -e "$scratch/proof" ] || return 0
    sed -n 's/.*served \([0-9]*\) blocks.*/served \1/p' "$scratch/proof" | tail -1
}

status() {
    awk -v name="$1:" '$1 == name { print $2 }' "/proc/$2/status"
}

now() { date +%s.%N; }

between() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.3f", b - a }'; }

run_python() {
    choose "$1"
    "${with[@]}" "$python" "$here/work.py" >"$2" 2>"$scratch/errors" || return 1
    served >>"$2"
}

run_store() {
    choose "$1"
    "${with[@]}" "$scratch/store" >"$2" 2>"$scratch/errors" || return 1
    served >>"$2"
}

run_sqlite() {
    choose "$1"
    "${with[@]}" sqlite3 :memory: <"$here/work.sql" >"$scratch/said" 2>"$scratch/errors" || return 1
    awk -v hertz="$(getconf CLK_TCK)" '
        last == "start" { start = $1 }
        last == "end" { printf "time %.3f\n", $1 - start }
        $2 == "(sqlite3)" { printf "cpu %.3f\n", ($14 + $15) / hertz }
        $1 == "VmHWM:" { print "peak", $2 }
        $1 == "VmRSS:" { print "after", $2 }
        { last = $1 }' "$scratch/said" >"$2"
    served >>"$2"
}

run_redis() {
    local socket=$scratch/socket start end ticks
    rm -f "$socket"
    choose "$1"
    "${with[@]}" redis-server --port 0 --unixsocket "$socket" --save '' --appendonly no \
        --dir "$scratch" --daemonize no >"$scratch/errors" 2>&1 &
    server=$!
    for _ in $(seq 100); do
        [ "$(redis-cli -s "$socket" ping 2>/dev/null)" = PONG ] && break
        sleep 0.05
    done
    start=$(now)
    {
        redis-benchmark -s "$socket" -q -P 16 -r 200000 -n 250000 -d 300 -t set &&
            redis-benchmark -s "$socket" -q -P 16 -r 200000 -n 150000 -d 700 -t set,get &&
            redis-benchmark -s "$socket" -q -P 16 -r 100000 -n 120000 -d 40 -t lpush,lpop,sadd,hset,zadd
    } >>"$scratch/errors" 2>&1 || return 1
    end=$(now)
    ticks=$(awk '{ print $14 + $15 }' "/proc/$server/stat") || return 1
    redis-cli -s "$socket" flushall >/dev/null 2>&1 || return 1
    sleep 1
    {
        echo "time $(between "$start" "$end")"
        awk -v ticks="$ticks" -v hertz="$(getconf CLK_TCK)" 'BEGIN { printf "cpu %.3f\n", ticks / hertz }'
        echo "peak $(status VmHWM "$server")"
        echo "after $(status VmRSS "$server")"
    } >"$2"
    redis-cli -s "$socket" shutdown nosave >/dev/null 2>&1
    wait "$server"
    server=
    served >>"$2"
}
