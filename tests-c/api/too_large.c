/*
 * Sizes over PTRDIFF_MAX give NULL and ENOMEM from every function, and an old block stays valid.
 * force: slab buddy system arena
 */
#include "../lib/test.h"

#define REFUSED(call)                                                          \
    do {                                                                       \
        errno = 0;                                                             \
        CHECK((call) == NULL);                                                 \
        CHECK(errno == ENOMEM);                                                \
    } while (0)

int main(void)
{
    static const size_t sizes[] = {
        (size_t)PTRDIFF_MAX + 1, (size_t)PTRDIFF_MAX + 4096, SIZE_MAX / 2 + 64 * KIB,
        SIZE_MAX - 65536, SIZE_MAX - 4096, SIZE_MAX - 4095, SIZE_MAX - 32,
        SIZE_MAX - 16, SIZE_MAX - 15, SIZE_MAX - 8, SIZE_MAX - 7, SIZE_MAX - 1, SIZE_MAX,
    };
    for (size_t i = 0; i < COUNT(sizes); i++) {
        size_t size = hide_size(sizes[i]);
        char *block = malloc(100);
        void *out = block;
        fill(block, 100, i);
        REFUSED(malloc(size));
        REFUSED(calloc(1, size));
        REFUSED(calloc(size, 1));
        REFUSED(realloc(NULL, size));
        REFUSED(realloc(block, size));
        REFUSED(reallocarray(NULL, 1, size));
        REFUSED(reallocarray(block, size, 1));
        REFUSED(aligned_alloc(64, size));
        REFUSED(memalign(4096, size));
        REFUSED(valloc(size));
        REFUSED(pvalloc(size));
        errno = 0;
        CHECK(posix_memalign(&out, 64, size) == ENOMEM);
        CHECK(out == block);
        CHECK(posix_memalign(&out, MIB, size) == ENOMEM);
        CHECK(out == block);
        CHECK(filled(block, 100, i));
        free(block);
    }
    /* No machine has so much memory, though the size is no error in itself. */
    REFUSED(malloc(hide_size(PTRDIFF_MAX)));
    REFUSED(malloc(hide_size(PTRDIFF_MAX - 64 * KIB)));
    REFUSED(calloc(1, hide_size((size_t)1 << 50)));
    REFUSED(memalign(64 * MIB, hide_size((size_t)1 << 50)));
    return 0;
}
