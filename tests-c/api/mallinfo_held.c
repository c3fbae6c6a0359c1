/*
 * What mallinfo2 says is held falls after a peak.
 * only: lohalloc
 */
#include "../lib/heap.h"

int main(void)
{
    enum { BLOCKS = 100000 };
    void **blocks = own_memory(BLOCKS * sizeof *blocks);
    size_t start = heap_held();
    for (int i = 0; i < BLOCKS; i++) {
        CHECK(blocks[i] = malloc(1000));
        memset(blocks[i], 1, 1000);
    }
    size_t full = heap_held();
    CHECK(full >= start + BLOCKS * (size_t)1000 && full < start + 120 * MIB);
    for (int i = 0; i < BLOCKS; i++)
        free(blocks[i]);
    CHECK(heap_held() < start + 20 * MIB);
    return 0;
}
