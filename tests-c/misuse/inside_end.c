/*
 * A free in the last word of a block stops the process.
 * signal: ABRT
 * stderr: ^lohalloc: free of 0x[0-9a-f]+, which is inside a block of [0-9]+ bytes that starts at 0x[0-9a-f]+$
 */
#include "../lib/test.h"

int main(void)
{
    char *block = malloc(64);
    free((char *)hide(block) + malloc_usable_size(block) - 8);
    return 0;
}
