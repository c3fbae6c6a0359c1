# The debugger runs a program to a breakpoint, prints its stack and data, calls into it, and attaches to another.
# needs: gdb gcc
cat >victim.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

struct node { struct node *next; int value; char text[20]; };
struct node *list;
static int depth(int n, struct node *node)
{
    return n ? 1 + depth(n - 1, node) : node->value;
}
int main(int count, char **arguments)
{
    for (int i = 0; i < 10; i++) {
        struct node *node = malloc(sizeof *node);
        node->next = list, node->value = i;
        snprintf(node->text, sizeof node->text, "node %d", i);
        list = node;
    }
    printf("%d\n", depth(5, list));
    fflush(stdout);
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
    if (count > 1)
        while (access("attached", F_OK))
            usleep(10000);
    return 0;
}
C
gcc -O0 -g -o victim victim.c
run gdb -nx -batch -ex 'set disable-randomization off' -ex 'set startup-with-shell off' \
    -ex 'break depth if n == 0' -ex run -ex bt -ex 'p *list->next->next' -ex 'p list->next->text' \
    -ex 'p (int)depth(3, list)' -ex 'p (long)strlen((char *)strdup("twelve bytes"))' -ex finish -ex 'info threads' \
    ./victim >out 2>&1
grep -o -e '^#.*' -e '^\$.*' -e 'Value returned.*' out | sed 's/0x[0-9a-f]*/ADDRESS/g'
serve ./victim wait >victim.out &
victim=$!
for _ in $(seq 200); do [ -s victim.out ] && break; sleep 0.05; done
run gdb -nx -batch -p $victim -ex 'up 10' -ex 'p list->value' -ex 'p list->text' -ex detach >out 2>&1
grep -o '^\$.*' out
touch attached
wait $victim
echo "victim ended with $?"
run gdb -nx -batch -ex 'disassemble /s main' -ex 'ptype struct node' -ex 'info scope depth' ./victim | cksum
