# What every program script can call. Only the program under test is preloaded,
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
        LD_PRELOAD=$PRELOAD LOHALLOC_STATS=$PROOF_FILE "$name" "$@"
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
        exec env LD_PRELOAD="$PRELOAD" LOHALLOC_STATS="$PROOF_FILE" "$name" "$@"
    else
        exec "$name" "$@"
    fi
}

# Some text that is the same in every run: numbered lines in no order.
text() {
    awk -v lines="$1" 'BEGIN { n = 12345; for (i = 0; i < lines; i++) {
        n = (n * 1103515245 + 12345) % 2147483648
        printf "%d line %d of the text %s\n", n, i, substr("abcdefghijklmnopqrstuvwxyz", n % 20 + 1, n % 7) } }'
}

. "$1"
