/*
 * A block of calloc that is freed twice stops the process.
 * signal: ABRT
 * stderr: ^lohalloc: double free of 0x[0-9a-f]+ \(block of [0-9]+ bytes\)$
 */
#include "../lib/test.h"

int main(void)
{
    char *block = calloc(4, 25), *other = calloc(4, 25);
    free(block);
    free(hide(block));
    free(other);
    return 0;
}
