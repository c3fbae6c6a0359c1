/*
 * An aligned block can be reallocated, freed and measured as any other.
 * force: slab buddy system arena
 */
#include "../lib/test.h"

int main(void)
{
    for (size_t alignment = 32; alignment <= 4 * MIB; alignment *= 2) {
        for (size_t size = 1; size < 3 * MIB; size = size * 5 + 7) {
            void *out = NULL;
            CHECK(posix_memalign(&out, alignment, size) == 0);
            size_t usable = malloc_usable_size(out);
            CHECK(usable >= size);
            fill(out, usable, size);
            char *block = realloc(out, usable + 5000);
            CHECK(block && filled_part(block, usable, usable, size));
            block = realloc(block, size / 2 + 1);
            CHECK(block && filled_part(block, usable, size / 2 + 1, size));
            free(block);
        }
    }
    return 0;
}
