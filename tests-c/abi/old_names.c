/*
 * cfree, malloc_size and malloc_good_size are there, for programs that look them up.
 * only: lohalloc
 * flags: -rdynamic
 */
#include "../lib/test.h"
#include <dlfcn.h>

int main(void)
{
    void (*cfree)(void *) = (void (*)(void *))dlsym(RTLD_DEFAULT, "cfree");
    size_t (*size_of)(const void *) = (size_t (*)(const void *))dlsym(RTLD_DEFAULT, "malloc_size");
    size_t (*good)(size_t) = (size_t (*)(size_t))dlsym(RTLD_DEFAULT, "malloc_good_size");
    CHECK(cfree && size_of && good);
    for (size_t size = 0; size < 40 * MIB; size = size * 5 / 4 + 1) {
        char *block = malloc(size);
        CHECK(block && size_of(block) == malloc_usable_size(block));
        CHECK(good(size) >= size && good(size) <= malloc_usable_size(block));
        /* Asking for what is good costs no more. */
        CHECK(good(good(size)) == good(size));
        cfree(block);
    }
    cfree(NULL);
    CHECK(size_of(NULL) == 0);
    CHECK(good(0) >= 1);
    CHECK(good(hide_size(SIZE_MAX)) == SIZE_MAX);
    return 0;
}
