/*
 * The lohalloc_ names work as the names without, on the same heap.
 * only: lohalloc
 * ways: so a
 */
#include "../lib/test.h"
#include <lohalloc.h>

static void check(void *block, size_t size)
{
    CHECK(block && (uintptr_t)block % 16 == 0);
    CHECK(lohalloc_usable_size(block) >= size);
    CHECK(lohalloc_usable_size(block) == malloc_usable_size(block));
    CHECK(lohalloc_owns(block));
    memset(block, 1, size);
}

int main(void)
{
    for (size_t size = 1; size < 9 * MIB; size = size * 4 + 3) {
        void *out = NULL, *block = lohalloc_malloc(size);
        check(block, size);
        free(block);
        check(block = malloc(size), size);
        lohalloc_free(block);
        check(block = lohalloc_calloc(3, size), 3 * size);
        check(block = lohalloc_realloc(block, size), size);
        check(block = realloc(block, size * 2), size * 2);
        check(block = lohalloc_reallocarray(block, size, 3), size * 3);
        lohalloc_free(block);
        CHECK(lohalloc_posix_memalign(&out, 512, size) == 0 && (uintptr_t)out % 512 == 0);
        check(out, size);
        lohalloc_free(out);
        check(block = lohalloc_aligned_alloc(128, size), size);
        lohalloc_free(block);
        check(block = lohalloc_memalign(8192, size), size);
        CHECK((uintptr_t)block % 8192 == 0);
        lohalloc_free(block);
        check(block = lohalloc_valloc(size), size);
        lohalloc_free(block);
        check(block = lohalloc_pvalloc(size), (size + 4095) / 4096 * 4096);
        lohalloc_free(block);
    }
    lohalloc_free(NULL);
    CHECK(lohalloc_realloc(lohalloc_malloc(5), 0) == NULL);
    CHECK(lohalloc_usable_size(NULL) == 0);
    errno = 0;
    CHECK(lohalloc_malloc(hide_size(SIZE_MAX)) == NULL && errno == ENOMEM);
    errno = 0;
    CHECK(lohalloc_calloc(hide_size(SIZE_MAX), 3) == NULL && errno == ENOMEM);
    CHECK(lohalloc_posix_memalign(&(void *){NULL}, 3, 3) == EINVAL);
    return 0;
}
