/*
 * The usable size covers what was asked, never changes while the block lives, and can all be written.
 * force: slab buddy system arena
 */
#include "../lib/test.h"

struct block {
    char *start;
    size_t usable;
};

int main(void)
{
    static struct block blocks[2000];
    size_t count = 0;
    for (size_t size = 0; size < 8 * MIB; size += size / 32 + 1) {
        struct block *block = &blocks[count];
        void *start = NULL;
        if (count % 3 == 2)
            CHECK(posix_memalign(&start, 64, size) == 0);
        else
            start = count % 3 ? calloc(1, size) : malloc(size);
        CHECK(start);
        block->start = start;
        block->usable = malloc_usable_size(start);
        CHECK(block->usable >= size);
        fill(start, block->usable, count);
        count++;
    }
    for (size_t i = 0; i < count; i++) {
        CHECK(malloc_usable_size(blocks[i].start) == blocks[i].usable);
        CHECK(filled(blocks[i].start, blocks[i].usable, i));
    }
    for (size_t i = 0; i < count; i += 2)
        free(blocks[i].start);
    for (size_t i = 1; i < count; i += 2) {
        CHECK(malloc_usable_size(blocks[i].start) == blocks[i].usable);
        CHECK(filled(blocks[i].start, blocks[i].usable, i));
        free(blocks[i].start);
    }
    return 0;
}
