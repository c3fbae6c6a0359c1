/*
 * Odd arguments of the aligning functions, zero before all, give a block or NULL, and never a signal.
 */
#include "../lib/test.h"

int main(void)
{
    static const size_t odd[] = {
        0, 1, 2, 3, 5, 7, 12, 24, 100, 4095, 4097, SIZE_MAX / 2, SIZE_MAX / 2 + 1, SIZE_MAX - 1, SIZE_MAX,
    };
    for (size_t i = 0; i < COUNT(odd); i++) {
        for (size_t k = 0; k < COUNT(odd); k++) {
            size_t align = hide_size(odd[i]), size = hide_size(odd[k]);
            void *out = &out;
            free(memalign(align, size));
            free(aligned_alloc(align, size));
            int error = posix_memalign(&out, align, size);
            CHECK(error == EINVAL || error == ENOMEM);
            CHECK(out == &out);
        }
        free(valloc(hide_size(odd[i])));
        free(pvalloc(hide_size(odd[i])));
    }
    void *block = memalign(0, 0);
    CHECK(block && (uintptr_t)block % 16 == 0);
    free(block);
    block = aligned_alloc(0, 0);
    CHECK(block && (uintptr_t)block % 16 == 0);
    free(block);
    return 0;
}
