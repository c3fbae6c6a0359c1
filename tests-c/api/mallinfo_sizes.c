/*
 * mallinfo2 follows 100 MB of blocks of all sizes as they come and go.
 * force: slab buddy system arena
 */
#include "../lib/heap.h"

int main(void)
{
    enum { BLOCKS = 100000 };
    void **blocks = own_memory(BLOCKS * sizeof *blocks);
    free(malloc(1));
    size_t start = heap_used(), usable;
    for (int turn = 0; turn < 3; turn++) {
        size_t count = heap_fill(blocks, BLOCKS, 100 * MIB, &usable);
        size_t full = heap_used();
        if (full < start + usable || full > start + usable + count * 4096 + MIB)
            FAIL("%zu bytes have become %zu", usable, full - start);
        CHECK(heap_held() >= full);
        for (size_t i = 0; i < count; i++)
            free(blocks[i]);
        if (heap_used() > start + MIB)
            FAIL("%zu bytes left", heap_used() - start);
    }
    return 0;
}
