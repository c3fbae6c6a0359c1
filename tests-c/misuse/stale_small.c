/*
 * A free of a small block whose page went back stops the process.
 * only: lohalloc
 * signal: ABRT
 * stderr: (^lohalloc: double free of 0x[0-9a-f]+ \(block of [0-9]+ bytes\)$|^lohalloc: free of 0x[0-9a-f]+, which no allocator of this process gave out$|^lohalloc: free of 0x[0-9a-f]+, which is inside a block of [0-9]+ bytes that starts at 0x[0-9a-f]+$|^free\(\): invalid pointer$)
 */
#include "../lib/test.h"

int main(void)
{
    enum { BLOCKS = 100000 };
    void **blocks = own_memory(BLOCKS * sizeof *blocks);
    for (int i = 0; i < BLOCKS; i++)
        CHECK(blocks[i] = malloc(300));
    for (int i = 0; i < BLOCKS; i++)
        free(blocks[i]);
    free(hide(blocks[BLOCKS / 2]));
    return 0;
}
