/*
 * In mallinfo2 used and free bytes make up the arena, and with hblkhd they cover all that is resident.
 */
#include "../lib/heap.h"

static void check(void)
{
    struct mallinfo2 info = mallinfo2();
    CHECK(info.uordblks + info.fordblks == info.arena);
    CHECK(info.keepcost <= info.fordblks && info.usmblks == 0);
    CHECK((info.hblks == 0) == (info.hblkhd == 0));
    CHECK(info.fsmblks <= info.fordblks);
}

int main(void)
{
    enum { BLOCKS = 100000 };
    void **blocks = own_memory(BLOCKS * sizeof *blocks);
    size_t usable;
    memset(blocks, 0, BLOCKS * sizeof *blocks);
    check();
    size_t before = resident();
    size_t count = heap_fill(blocks, BLOCKS, 50 * MIB, &usable);
    check();
    for (size_t i = 0; i < count; i++)
        memset(blocks[i], 1, malloc_usable_size(blocks[i]));
    CHECK(resident() - before <= heap_held() + 4 * MIB);
    for (size_t i = 0; i < count; i += 3)
        free(blocks[i]);
    check();
    CHECK(resident() - before <= heap_held() + 4 * MIB);
    for (size_t i = 0; i < count; i++)
        if (i % 3)
            free(blocks[i]);
    check();
    return 0;
}
