/*
 * realloc(NULL, n) allocates, and realloc(p, 0) frees p and returns NULL.
 * force: slab buddy system arena
 */
#include "../lib/test.h"

int main(void)
{
    static const size_t sizes[] = {1, 16, 100, 5000, 100 * KIB, 2 * MIB, 40 * MIB};
    size_t start = 0;
    for (int turn = 0; turn < 30; turn++) {
        for (size_t i = 0; i < COUNT(sizes); i++) {
            char *block = realloc(hide(NULL), sizes[i]);
            CHECK(block && malloc_usable_size(block) >= sizes[i]);
            touch(block, sizes[i]);
            CHECK(realloc(block, hide_size(0)) == NULL);
        }
        if (turn == 10)
            start = resident();
    }
    /* A block that was not freed would show: a turn takes 42 MiB. */
    CHECK(resident() < start + 42 * MIB);
    return 0;
}
