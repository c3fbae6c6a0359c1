/*
 * A big block takes the memory that was asked for, and not a power of two.
 */
#include "../lib/test.h"

int main(void)
{
    static const size_t sizes[] = {600 * KIB, 1100 * KIB, 2100 * KIB, 4200 * KIB, 9 * MIB, 33 * MIB, 70 * MIB};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        char *block = malloc(sizes[i]);
        CHECK(block);
        CHECK(malloc_usable_size(block) <= sizes[i] + sizes[i] / 8 + 8 * KIB);
        free(block);
    }
    return 0;
}
