/*
 * A block that is freed again after other frees of its size stops the process.
 * signal: ABRT
 * stderr: ^lohalloc: double free of 0x[0-9a-f]+ \(block of [0-9]+ bytes\)$
 * force: arena
 */
#include "../lib/test.h"

int main(void)
{
    char *blocks[6];
    for (int i = 0; i < 6; i++)
        blocks[i] = malloc(64);
    for (int i = 0; i < 6; i++)
        free(blocks[i]);
    free(hide(blocks[2]));
    return 0;
}
