/*
 * calloc gives zeros from memory that was freed as blocks of another size.
 */
#include "../lib/test.h"

static const size_t sizes[] = {48, 700, 9000, 70 * KIB, 300 * KIB, MIB + 5000, 5 * MIB, 20 * MIB};

int main(void)
{
    static void *blocks[200000];
    for (size_t i = 0; i < COUNT(sizes); i++) {
        for (size_t j = 0; j < COUNT(sizes); j++) {
            size_t dirty = 24 * MIB / sizes[i], count = 24 * MIB / sizes[j];
            dirty = dirty > 20000 ? 20000 : dirty;
            count = count > 20000 ? 20000 : count;
            for (size_t k = 0; k < dirty; k++) {
                CHECK(blocks[k] = malloc(sizes[i]));
                memset(blocks[k], 0xff, sizes[i]);
            }
            for (size_t k = 0; k < dirty; k++)
                free(blocks[k]);
            for (size_t k = 0; k < count; k++) {
                CHECK(blocks[k] = calloc(sizes[j], 1));
                if (!all_zero(blocks[k], sizes[j]))
                    FAIL("calloc of %zu after %zu is not zero", sizes[j], sizes[i]);
            }
            for (size_t k = 0; k < count; k++)
                free(blocks[k]);
        }
    }
    return 0;
}
