/*
 * mallopt takes every parameter that glibc has, answers 1, and malloc goes on as before.
 */
#include "../lib/test.h"

int main(void)
{
    static const int parameters[] = {
        M_MXFAST, M_TRIM_THRESHOLD, M_TOP_PAD, M_MMAP_THRESHOLD, M_MMAP_MAX,
        M_CHECK_ACTION, M_PERTURB, M_ARENA_TEST, M_ARENA_MAX,
    };
    char *old = malloc(1000);
    CHECK(old);
    fill(old, 1000, 1);
    for (size_t i = 0; i < COUNT(parameters); i++) {
        if (mallopt(parameters[i], 64) != 1)
            FAIL("mallopt(%d)", parameters[i]);
        for (size_t size = 1; size < MIB; size = size * 3 + 1) {
            char *block = malloc(size);
            CHECK(block);
            fill(block, size, i);
            block = realloc(block, size * 2);
            CHECK(block && filled_part(block, size, size, i));
            free(block);
        }
    }
    CHECK(mallopt(M_MXFAST, 100000) == 0);
    char *zero = calloc(1000, 1);
    CHECK(zero && all_zero(zero, 1000));
    free(zero);
    CHECK(filled(old, 1000, 1));
    free(old);
    return 0;
}
