/*
 * A double free is found also when the block was written to after its first free.
 * signal: ABRT
 * stderr: ^lohalloc: double free of 0x[0-9a-f]+ \(block of [0-9]+ bytes\)$
 */
#include "../lib/test.h"

int main(void)
{
    char *block = malloc(200), *other = malloc(200);
    free(block);
    /* A stray write of the program, beyond the first words. */
    memset((char *)hide(block) + 64, 1, 100);
    free(other);
    free(hide(block));
    return 0;
}
