/*
 * The message of a double free names the size of the block.
 * signal: ABRT
 * stderr: ^lohalloc: double free of 0x[0-9a-f]+ \(block of 64 bytes\)$
 * force: arena
 */
#include "../lib/test.h"

int main(void)
{
    char *block = malloc(64), *other = malloc(64);
    free(block);
    free(other);
    free(hide(other));
    return 0;
}
