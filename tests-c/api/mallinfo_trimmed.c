/*
 * malloc_trim gives back what lies free between blocks in use, answers 1, and mallinfo2 no longer counts it as held.
 * only: lohalloc
 */
#include "../lib/heap.h"

int main(void)
{
    enum { BLOCKS = 300000 };
    void **blocks = own_memory(BLOCKS * sizeof *blocks);
    for (int i = 0; i < BLOCKS; i++) {
        CHECK(blocks[i] = malloc(200));
        memset(blocks[i], 1, 200);
    }
    size_t full = heap_held();
    CHECK(full >= BLOCKS * (size_t)200);
    for (int i = 0; i < BLOCKS; i++)
        if (i % 200)
            free(blocks[i]);
    CHECK(malloc_trim(0) == 1);
    struct mallinfo2 end = mallinfo2();
    CHECK(end.uordblks >= BLOCKS / 200 * (size_t)200 && end.uordblks < 2 * MIB);
    if (heap_held() > full / 4)
        FAIL("%zu of %zu KiB held", heap_held() / KIB, full / KIB);
    CHECK(end.uordblks + end.fordblks == end.arena);
    for (int i = 0; i < BLOCKS; i += 200)
        free(blocks[i]);
    CHECK(mallinfo2().uordblks < 100 * KIB);
    return 0;
}
