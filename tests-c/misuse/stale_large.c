/*
 * A free of a large block whose memory went back stops the process.
 * only: lohalloc
 * signal: ABRT
 * stderr: (^lohalloc: double free of 0x[0-9a-f]+ \(block of [0-9]+ bytes\)$|^lohalloc: free of 0x[0-9a-f]+, which no allocator of this process gave out$|^lohalloc: free of 0x[0-9a-f]+, which is inside a block of [0-9]+ bytes that starts at 0x[0-9a-f]+$|^free\(\): invalid pointer$)
 */
#include "../lib/test.h"

int main(void)
{
    char *blocks[50];
    for (int i = 0; i < 50; i++)
        CHECK(blocks[i] = malloc(2 * MIB));
    for (int i = 0; i < 50; i++)
        free(blocks[i]);
    free(hide(blocks[25]));
    return 0;
}
