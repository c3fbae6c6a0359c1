/*
 * A block that holds what a freed block holds is still a good block: no free of it is taken for a double free.
 */
#include "../lib/test.h"

int main(void)
{
    static const size_t sizes[] = {16, 24, 64, 200, 1000, 5000, 20 * KIB};
    char stale[20 * KIB];
    for (size_t i = 0; i < COUNT(sizes); i++) {
        size_t size = sizes[i];
        for (int turn = 0; turn < 2000; turn++) {
            /* Never written: it holds what its last free left. */
            char *block = malloc(size), *other = malloc(size);
            CHECK(block && other);
            free(block);
            memcpy(stale, hide(block), size);
            char *copy = malloc(size), *second = malloc(size);
            CHECK(copy && second);
            memcpy(copy, stale, size);
            memcpy(second, stale, size);
            memcpy(other, stale, size);
            free(other);
            free(second);
            free(copy);
            copy = realloc(malloc(size), size * 2);
            CHECK(copy);
            free(copy);
        }
    }
    return 0;
}
