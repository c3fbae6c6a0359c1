/*
 * A block that its thread frees again after its memory went back stops the process when the memory is used again.
 * only: lohalloc
 * signal: ABRT
 * stderr: ^lohalloc: (the free block 0x[0-9a-f]+ was written to, or freed twice|double free of 0x[0-9a-f]+ \(block of [0-9]+ bytes\))$
 */
#include "../lib/trim.h"

int main(void)
{
    enum { BLOCKS = 1000 };
    static char *blocks[BLOCKS];
    for (int i = 0; i < BLOCKS; i++)
        CHECK(blocks[i] = hide(malloc(200)));
    for (int i = 1; i < BLOCKS - 1; i++)
        if (i % 100)
            free(blocks[i]);
    trim();
    free(blocks[150]);
    for (int i = 0; i < 3 * BLOCKS; i++)
        memset(hide(malloc(200)), 1, 200);
    return 0;
}
