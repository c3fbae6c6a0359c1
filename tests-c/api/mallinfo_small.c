/*
 * uordblks of mallinfo2 grows by small blocks as they are made, and falls by them when they are freed.
 */
#include "../lib/test.h"

int main(void)
{
    enum { BLOCKS = 20000 };
    void **blocks = own_memory(BLOCKS * sizeof *blocks);
    free(malloc(1));
    for (size_t size = 24; size < 5000; size = size * 3 + 8) {
        size_t start = mallinfo2().uordblks, usable = 0;
        for (int i = 0; i < BLOCKS; i++) {
            CHECK(blocks[i] = malloc(size));
            usable += malloc_usable_size(blocks[i]);
        }
        size_t full = mallinfo2().uordblks;
        if (full - start < usable || full - start > usable + BLOCKS * 8 + 4096)
            FAIL("%zu bytes have become %zu", usable, full - start);
        for (int i = 0; i < BLOCKS; i += 2)
            free(blocks[i]);
        size_t half = mallinfo2().uordblks;
        CHECK(half - start < full - start - usable * 2 / 5);
        for (int i = 1; i < BLOCKS; i += 2)
            free(blocks[i]);
        size_t end = mallinfo2().uordblks;
        /* Blocks in a thread's cache may count as in use. */
        if (end > start + 32 * KIB)
            FAIL("%zu bytes left of blocks of %zu", end - start, size);
    }
    return 0;
}
