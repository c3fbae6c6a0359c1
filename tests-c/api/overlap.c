/*
 * Blocks that live at the same time never overlap, over their whole usable size.
 * force: slab buddy system arena
 */
#include "../lib/test.h"

struct range {
    uintptr_t start, end;
};

static int by_start(const void *a, const void *b)
{
    const struct range *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start;
}

int main(void)
{
    enum { LIVE = 5000 };
    struct range *live = own_memory(LIVE * sizeof *live);
    struct range *sorted = own_memory(LIVE * sizeof *sorted);
    uint64_t random = 4242;
    for (int turn = 0; turn < 12; turn++) {
        for (int i = 0; i < LIVE; i++) {
            if (live[i].start && random_next(&random) % 2)
                continue;
            free((void *)live[i].start);
            size_t size = random_size(&random, i % 50 ? 4 * KIB : MIB);
            size_t alignment = (size_t)16 << random_next(&random) % 10;
            void *block = i % 4 ? malloc(size) : memalign(alignment, size);
            CHECK(block);
            live[i].start = (uintptr_t)block;
            live[i].end = live[i].start + malloc_usable_size(block);
            CHECK(live[i].end >= live[i].start + size);
        }
        memcpy(sorted, live, LIVE * sizeof *live);
        qsort(sorted, LIVE, sizeof *sorted, by_start);
        for (int i = 1; i < LIVE; i++)
            CHECK(sorted[i - 1].end <= sorted[i].start);
    }
    for (int i = 0; i < LIVE; i++)
        free((void *)live[i].start);
    return 0;
}
