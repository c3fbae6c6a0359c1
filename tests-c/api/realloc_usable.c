/*
 * realloc keeps every usable byte of the old block, not only those that were asked for.
 * force: slab buddy system arena
 */
#include "../lib/test.h"

int main(void)
{
    for (size_t size = 1; size < 2 * MIB; size += size / 16 + 1) {
        char *block = malloc(size);
        CHECK(block);
        size_t usable = malloc_usable_size(block);
        fill(block, usable, size);
        block = realloc(block, usable + 1);
        CHECK(block && filled_part(block, usable, usable, size));
        free(block);

        block = malloc(size);
        CHECK(block);
        usable = malloc_usable_size(block);
        fill(block, usable, size);
        block = realloc(block, usable * 3);
        CHECK(block && filled_part(block, usable, usable, size));
        free(block);
    }
    return 0;
}
