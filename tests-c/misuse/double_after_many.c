/*
 * A block that is freed again after a thousand other frees stops the process.
 * only: lohalloc
 * signal: ABRT
 * stderr: ^lohalloc: double free of 0x[0-9a-f]+ \(block of [0-9]+ bytes\)$
 */
#include "../lib/test.h"

int main(void)
{
    static char *blocks[1000];
    for (int i = 0; i < 1000; i++)
        blocks[i] = malloc(48);
    for (int i = 0; i < 999; i++)
        free(blocks[i]);
    free(hide(blocks[500]));
    return 0;
}
