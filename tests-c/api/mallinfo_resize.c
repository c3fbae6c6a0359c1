/*
 * mallinfo2 follows blocks that realloc makes longer and shorter.
 * force: slab buddy system arena
 */
#include "../lib/heap.h"

int main(void)
{
    void *blocks[20] = {NULL};
    free(malloc(1));
    size_t start = heap_used();
    for (size_t size = 1000; size < 40 * MIB; size *= 3) {
        size_t usable = 0;
        for (int i = 0; i < 20; i++) {
            CHECK(blocks[i] = realloc(blocks[i], size));
            usable += malloc_usable_size(blocks[i]);
        }
        size_t now = heap_used() - start;
        CHECK(now >= usable && now < usable + 20 * 8 * KIB + 64 * KIB);
    }
    for (size_t size = 10 * MIB; size > 1000; size /= 5) {
        size_t usable = 0;
        for (int i = 0; i < 20; i++) {
            CHECK(blocks[i] = realloc(blocks[i], size));
            usable += malloc_usable_size(blocks[i]);
        }
        size_t now = heap_used() - start;
        CHECK(now >= usable && now < usable + 20 * 8 * KIB + 64 * KIB);
    }
    for (int i = 0; i < 20; i++)
        free(blocks[i]);
    CHECK(heap_used() < start + 64 * KIB);
    return 0;
}
