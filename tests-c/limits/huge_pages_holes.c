/*
 * The kernel does not fill holes between small blocks by making huge pages of them, not even when it is asked to.
 * only: lohalloc
 */
#include "../lib/test.h"

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif
#define HUGE (2 * MIB)

/* What the kernel may do at any time, at once. */
static int collapse(const void *at)
{
    return madvise((void *)((uintptr_t)at & ~(HUGE - 1)), HUGE, MADV_COLLAPSE) == 0;
}

int main(void)
{
    char *own = own_memory(3 * HUGE);
    touch(own, 3 * HUGE);
    if (!collapse(own + HUGE))
        SKIP("the kernel makes no huge pages when it is asked to");
    size_t count = 200 * KIB, before;
    char **blocks = own_memory(count * sizeof *blocks);
    touch(blocks, count * sizeof *blocks);
    before = resident();
    for (size_t i = 0; i < count; i++) {
        CHECK(blocks[i] = malloc(1024));
        memset(blocks[i], (int)i, 1024);
    }
    for (size_t i = 0; i < count; i++)
        if (i % 64)
            free(blocks[i]);
    malloc_trim(0);
    size_t after = resident() - before, filled = 0;
    if (after > 40 * MIB)
        FAIL("%zu MiB are resident where 3 live", after / MIB);
    for (size_t i = 0; i < count; i += 64) {
        filled += (size_t)collapse(blocks[i]);
        CHECK(blocks[i][0] == (char)i && blocks[i][1023] == (char)i);
    }
    if (resident() - before > after + 4 * MIB)
        FAIL("%zu times a huge page was filled: %zu MiB, before %zu", filled, (resident() - before) / MIB, after / MIB);
    for (size_t i = 0; i < count; i += 64)
        free(blocks[i]);
    return 0;
}
