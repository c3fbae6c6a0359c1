/*
 * Every allocating function gives at least what was asked, all of it writable, and realloc keeps all that is usable.
 */
#include "../lib/test.h"

static void check(void *block, size_t size)
{
    size_t usable = malloc_usable_size(block);
    CHECK(block && usable >= size);
    fill(block, usable, size);
    void *longer = realloc(block, usable + usable / 2 + 64);
    CHECK(longer && filled_part(longer, usable, usable, size));
    free(longer);
}

int main(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (size_t size = 1; size < 3 * MIB; size = size * 3 / 2 + 7) {
        void *out = NULL;
        check(malloc(size), size);
        check(calloc(1, size), size);
        check(calloc(size, 3), size * 3);
        check(realloc(NULL, size), size);
        check(realloc(malloc(size * 2), size), size);
        check(reallocarray(NULL, size, 2), size * 2);
        check(aligned_alloc(64, size), size);
        check(memalign(4096, size), size);
        check(valloc(size), size);
        check(pvalloc(size), (size + page - 1) / page * page);
        CHECK(posix_memalign(&out, 512, size) == 0);
        check(out, size);
    }
    CHECK(malloc_usable_size(NULL) == 0);
    return 0;
}
