# A leak is still found under valgrind, and with interception off the library itself runs there to the end.
# needs: valgrind gcc
cat >leak.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
char *volatile kept;
int main(void)
{
    char *blocks[1000];
    for (int i = 0; i < 1000; i++)
        memset(blocks[i] = malloc(i + 1), 1, i + 1);
    for (int i = 0; i < 1000; i++)
        if (i != 500)
            free(blocks[i]);
    blocks[500] = 0;
    kept = realloc(calloc(100, 100), 50000);
    puts(kept[77] == 0 ? "done" : "wrong");
    free(kept);
    return 0;
}
C
gcc -O0 -g -o leak leak.c
run ./leak
run valgrind -q --leak-check=full --error-exitcode=9 ./leak 2>&1 | sed 's/==[0-9]*==//' | grep -o '[0-9,]* bytes in [0-9]* blocks are definitely lost'
run valgrind -q --error-exitcode=9 --soname-synonyms=somalloc=nouserintercepts ./leak 2>&1
echo "status $?"
run valgrind -q --tool=none ./leak
echo "status $?"
run valgrind -q --tool=massif --massif-out-file=massif ./leak
grep -c '^snapshot=' massif >/dev/null && echo massif
