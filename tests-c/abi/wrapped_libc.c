/*
 * A program whose malloc and free go on at __libc_malloc and __libc_free shares one heap with all other functions.
 * ways: preload so
 */
#include "../lib/test.h"

void *__libc_malloc(size_t size);
void __libc_free(void *block);

static size_t made, gone;

void *malloc(size_t size)
{
    made++;
    return __libc_malloc(size);
}

void free(void *block)
{
    gone++;
    __libc_free(block);
}

int main(void)
{
    size_t before = made;
    for (size_t size = 1; size < 20 * MIB; size = size * 3 + 1) {
        free(malloc(size));
        free(calloc(1, size));
        free(realloc(malloc(size), size * 2));
        free(aligned_alloc(64, size));
        void *out = NULL;
        CHECK(posix_memalign(&out, 4096, size) == 0);
        free(out);
        char *text = strdup("libc calls the program's malloc");
        CHECK(malloc_usable_size(text) > strlen(text));
        free(text);
    }
    CHECK(made > before && gone > made);
    return 0;
}
