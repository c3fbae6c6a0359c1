/*
 * A size of zero gives a block of its own that can be freed, from every function.
 * force: slab buddy system arena
 */
#include "../lib/test.h"

static void distinct(void **blocks, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        CHECK(blocks[i] && (uintptr_t)blocks[i] % 16 == 0);
        for (size_t j = 0; j < i; j++)
            CHECK(blocks[i] != blocks[j]);
    }
    for (size_t i = 0; i < count; i++)
        free(blocks[i]);
}

int main(void)
{
    void *blocks[700];
    for (size_t i = 0; i < 700; i += 7) {
        blocks[i] = malloc(0);
        blocks[i + 1] = calloc(0, 0);
        blocks[i + 2] = calloc(hide_size(SIZE_MAX), 0);
        blocks[i + 3] = realloc(NULL, 0);
        blocks[i + 4] = memalign(64, 0);
        blocks[i + 5] = aligned_alloc(4096, 0);
        CHECK(posix_memalign(&blocks[i + 6], 128, 0) == 0);
        CHECK((uintptr_t)blocks[i + 4] % 64 == 0);
        CHECK((uintptr_t)blocks[i + 5] % 4096 == 0);
        CHECK((uintptr_t)blocks[i + 6] % 128 == 0);
    }
    distinct(blocks, 700);
    blocks[0] = valloc(0);
    blocks[1] = pvalloc(0);
    blocks[2] = reallocarray(NULL, 0, 8);
    distinct(blocks, 3);
    return 0;
}
