/*
 * reallocarray refuses products that overflow, keeps the old block then, and else works as realloc.
 * force: slab buddy system arena
 */
#include "../lib/test.h"

int main(void)
{
    char *block = reallocarray(NULL, 10, 10);
    CHECK(block && malloc_usable_size(block) >= 100);
    fill(block, 100, 1);
    static const size_t factors[][2] = {
        {SIZE_MAX, 2}, {2, SIZE_MAX}, {(size_t)1 << 32, (size_t)1 << 32},
        {SIZE_MAX / 2 + 1, 2}, {SIZE_MAX / 24 + 1, 24}, {SIZE_MAX, SIZE_MAX},
    };
    for (size_t i = 0; i < COUNT(factors); i++) {
        errno = 0;
        CHECK(!reallocarray(block, hide_size(factors[i][0]), hide_size(factors[i][1])));
        CHECK(errno == ENOMEM);
        CHECK(filled(block, 100, 1));
    }
    block = reallocarray(block, 1000, 1000);
    CHECK(block && filled_part(block, 100, 100, 1));
    CHECK(malloc_usable_size(block) >= 1000000);
    block = reallocarray(block, 3, 7);
    CHECK(block && filled_part(block, 100, 21, 1));
    CHECK(reallocarray(block, hide_size(0), 8) == NULL);
    return 0;
}
