/*
 * Every block of 0 to 64 KiB is aligned to 16 bytes and usable for at least what was asked.
 * timeout: 90
 * force: slab buddy system arena
 */
#include "../lib/test.h"

int main(void)
{
    static void *kept[64];
    for (size_t size = 0; size <= 64 * KIB; size++) {
        char *block = malloc(size);
        CHECK(block && (uintptr_t)block % 16 == 0);
        CHECK(malloc_usable_size(block) >= size);
        if (size)
            block[0] = block[size - 1] = 1;
        /* Blocks that live together lie at other places than a lone one. */
        free(kept[size % 64]);
        kept[size % 64] = block;
        block = calloc(size, 1);
        CHECK(block && (uintptr_t)block % 16 == 0);
        block = realloc(block, size + 1);
        CHECK(block && (uintptr_t)block % 16 == 0);
        free(block);
    }
    for (size_t i = 0; i < 64; i++)
        free(kept[i]);
    return 0;
}
