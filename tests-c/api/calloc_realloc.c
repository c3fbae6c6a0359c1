/*
 * calloc gives zeros where realloc shrank or grew a dirty block before.
 */
#include "../lib/test.h"

int main(void)
{
    for (int turn = 0; turn < 8; turn++) {
        for (size_t size = 4 * KIB; size <= 16 * MIB; size *= 2) {
            char *block = malloc(size);
            CHECK(block);
            memset(block, 0xff, malloc_usable_size(block));
            block = realloc(block, size / 2 + 1);
            CHECK(block);
            char *zero = calloc(1, size / 2);
            CHECK(zero && all_zero(zero, size / 2));
            memset(zero, 0xff, malloc_usable_size(zero));
            block = realloc(block, size + size / 2);
            CHECK(block);
            memset(block, 0xff, malloc_usable_size(block));
            free(block);
            free(zero);
            block = calloc(size + size / 2, 1);
            CHECK(block && all_zero(block, size + size / 2));
            free(block);
        }
    }
    return 0;
}
