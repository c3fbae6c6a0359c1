/*
 * posix_memalign aligns to 64 MiB and less, and answers EINVAL without touching its result for a bad alignment.
 * force: slab buddy system arena
 */
#include "../lib/test.h"

int main(void)
{
    static const size_t sizes[] = {0, 1, 8, 17, 100, 1000, 4096, 5000, 100 * KIB, 3 * MIB};
    for (size_t alignment = sizeof(void *); alignment <= 64 * MIB; alignment *= 2) {
        void *blocks[COUNT(sizes)][2];
        for (size_t i = 0; i < COUNT(sizes); i++) {
            for (int k = 0; k < 2; k++) {
                CHECK(posix_memalign(&blocks[i][k], alignment, sizes[i]) == 0);
                CHECK(blocks[i][k] && (uintptr_t)blocks[i][k] % alignment == 0);
                CHECK((uintptr_t)blocks[i][k] % 16 == 0);
                CHECK(malloc_usable_size(blocks[i][k]) >= sizes[i]);
                fill(blocks[i][k], sizes[i], alignment + i);
            }
        }
        for (size_t i = 0; i < COUNT(sizes); i++) {
            for (int k = 0; k < 2; k++) {
                CHECK(filled(blocks[i][k], sizes[i], alignment + i));
                free(blocks[i][k]);
            }
        }
    }
    static const size_t bad[] = {0, 1, 2, 4, 3, 12, 24, 48, 100, 4097, SIZE_MAX, SIZE_MAX - 7};
    for (size_t i = 0; i < COUNT(bad); i++) {
        void *out = &out;
        errno = 99;
        CHECK(posix_memalign(&out, hide_size(bad[i]), 64) == EINVAL);
        CHECK(out == &out && errno == 99);
    }
    return 0;
}
