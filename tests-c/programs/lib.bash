# What every program script can call. LEARNING, if set, is one more variable for the program under test.
# Only the program under test is preloaded,
# so that the proof of service is its own and not that of the shell around it.

# The Debian program rather than a wrapper script of the same name in the path.
program() {
    if [ -x "/usr/bin/$1" ]; then echo "/usr/bin/$1"; else command -v "$1"; fi
}

run() {
    local name
    name=$(program "$1")
    shift
    if [ -n "$PRELOAD" ]; then
        env LD_PRELOAD="$PRELOAD" LOHALLOC_STATS="$PROOF_FILE" ${LEARNING:+"$LEARNING"} "$name" "$@"
    else
        "$name" "$@"
    fi
}

# As `run`, for the background: `$!` is the program itself.
serve() {
    local name
    name=$(program "$1")
    shift
    if [ -n "$PRELOAD" ]; then
        exec env LD_PRELOAD="$PRELOAD" LOHALLOC_STATS="$PROOF_FILE" ${LEARNING:+"$LEARNING"} "$name" "$@"
    else
        exec "$name" "$@"
    fi
}

# Runs the script on stdin and all that it starts in a system whose /etc/ld.so.preload names the
# library. Nobody else sees that: the system has its own mounts, and its own /etc.
whole_system() {
    local way own=
    cp -a /etc etc 2>/dev/null
    rm -f etc/ld.so.preload
    [ -z "$PRELOAD" ] || echo "$PRELOAD" >etc/ld.so.preload
    for way in "unshare --mount" "unshare --mount --map-root-user"; do
        if $way mount --bind etc /etc 2>/dev/null; then own=$way; break; fi
    done
    [ -n "$own" ] || { echo "no mounts of one's own are allowed here"; exit 77; }
    cat >script
    [ -z "$PRELOAD" ] || export LOHALLOC_STATS=$PROOF_FILE ${LEARNING:+"$LEARNING"}
    $own sh -c 'mount --bind etc /etc && exec sh -u script'
}

# Some text that is the same in every run: numbered lines in no order.
text() {
    awk -v lines="$1" 'BEGIN { n = 12345; for (i = 0; i < lines; i++) {
        n = (n * 1103515245 + 12345) % 2147483648
        printf "%d line %d of the text %s\n", n, i, substr("abcdefghijklmnopqrstuvwxyz", n % 20 + 1, n % 7) } }'
}

. "$1"
