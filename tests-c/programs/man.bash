# The formatters of manual pages run under man-db's filter of system calls.
# needs: man
# The filter lets nobody open a file for writing, so the proof comes by way of stderr.
man() {
    PROOF_FILE=${PRELOAD:+1} run man "$@" 2>err
    local status=$?
    grep '^lohalloc: served' err >>"$PROOF_FILE"
    grep -v '^lohalloc: served' err >&2
    return $status
}
{
    echo '.TH PAGE 1 2024-01-01 one two'
    echo '.SH NAME'
    echo 'page \- a page of its own'
    for i in $(seq 300); do
        echo ".SH PART $i"
        text 12
        printf '.TP\n.B \\-\\-option%s\nWhat the option does.\n' "$i"
    done
    printf '.TS\nl l.\na\tb\nc\td\n.TE\n'
} >page.1
gzip -k page.1
export MANWIDTH=80 MAN_KEEP_FORMATTING= MANPAGER=cat PAGER=cat
man -P cat -l ./page.1 | cksum
man -P cat -l ./page.1.gz | cksum
man -T ps -l ./page.1 | grep -v '^%' | cksum
mkdir -p man/man1
cp page.1 man/man1
man -P cat -M "$PWD/man" page | cksum
run mandb -q -c "$PWD/man" 2>/dev/null
man -M "$PWD/man" -f page
man -M "$PWD/man" -k 'of its own'
man -P cat -M "$PWD/man" missing
echo "status $?"
