/*
 * What mallinfo2 says of the heap, in two sums.
 */
#ifndef HEAP_H
#define HEAP_H
#include "test.h"

/* Bytes in blocks that the program has. */
__attribute__((unused)) static size_t heap_used(void)
{
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

/* Bytes held from the system. */
__attribute__((unused)) static size_t heap_held(void)
{
    struct mallinfo2 info = mallinfo2();
    return info.arena + info.hblkhd;
}

/* Blocks of many sizes, of about `bytes` in all. Returns how many, and their usable bytes. */
__attribute__((unused))
static size_t heap_fill(void **blocks, size_t count, size_t bytes, size_t *usable)
{
    uint64_t state = 88172645463325252u;
    size_t i = 0;
    *usable = 0;
    while (i < count && *usable < bytes) {
        size_t size = random_size(&state, 4 * MIB);
        CHECK(blocks[i] = malloc(size));
        *usable += malloc_usable_size(blocks[i++]);
    }
    CHECK(*usable >= bytes);
    return i;
}
#endif
