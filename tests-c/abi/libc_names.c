/*
 * glibc's own names, __libc_malloc and its kin, are the same heap as malloc and free.
 */
#include "../lib/test.h"

void *__libc_malloc(size_t size);
void __libc_free(void *block);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t align, size_t size);
void *__libc_valloc(size_t size);
void *__libc_pvalloc(size_t size);

static void *filled_to_the_end(void *block, size_t size)
{
    CHECK(block && (uintptr_t)block % 16 == 0);
    CHECK(malloc_usable_size(block) >= size);
    memset(block, 1, malloc_usable_size(block));
    return block;
}

int main(void)
{
    for (size_t size = 1; size < 40 * MIB; size = size * 4 + 3) {
        free(filled_to_the_end(__libc_malloc(size), size));
        __libc_free(filled_to_the_end(malloc(size), size));
        char *block = __libc_calloc(1, size);
        CHECK(block && all_zero(block, size));
        block = filled_to_the_end(realloc(block, size * 2), size * 2);
        block = filled_to_the_end(__libc_realloc(block, size / 2 + 1), size / 2 + 1);
        __libc_free(block);
        block = filled_to_the_end(__libc_memalign(1024, size), size);
        CHECK((uintptr_t)block % 1024 == 0);
        free(block);
        block = filled_to_the_end(__libc_valloc(size), size);
        CHECK((uintptr_t)block % (size_t)sysconf(_SC_PAGESIZE) == 0);
        free(block);
        free(filled_to_the_end(__libc_pvalloc(size), size));
        __libc_free(filled_to_the_end(strdup("text"), 5));
    }
    errno = 0;
    CHECK(__libc_malloc(hide_size(SIZE_MAX)) == NULL && errno == ENOMEM);
    __libc_free(NULL);
    return 0;
}
