/*
 * calloc refuses products that overflow with NULL and ENOMEM.
 */
#include "../lib/test.h"

int main(void)
{
    static const size_t factors[][2] = {
        {SIZE_MAX, 2}, {2, SIZE_MAX}, {SIZE_MAX / 2 + 1, 2}, {2, SIZE_MAX / 2 + 1},
        {(size_t)1 << 32, (size_t)1 << 32}, {((size_t)1 << 32) + 1, ((size_t)1 << 32) - 1},
        {SIZE_MAX, SIZE_MAX}, {SIZE_MAX / 16 + 1, 16}, {SIZE_MAX / 24 + 1, 24},
        {65537, SIZE_MAX / 65536}, {(size_t)1 << 31, (size_t)1 << 33},
    };
    for (size_t i = 0; i < COUNT(factors); i++) {
        errno = 0;
        CHECK(calloc(hide_size(factors[i][0]), hide_size(factors[i][1])) == NULL);
        CHECK(errno == ENOMEM);
    }
    return 0;
}
