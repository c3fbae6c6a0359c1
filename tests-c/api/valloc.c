/*
 * valloc and pvalloc align to the OS page, and pvalloc rounds the size up to whole OS pages.
 * force: slab buddy system arena
 */
#include "../lib/test.h"

int main(void)
{
    size_t os_page = (size_t)sysconf(_SC_PAGESIZE);
    for (size_t size = 1; size < 3 * MIB; size = size * 3 + 11) {
        char *block = valloc(size);
        CHECK(block && (uintptr_t)block % os_page == 0);
        CHECK(malloc_usable_size(block) >= size);
        memset(block, 1, size);
        char *whole = pvalloc(size);
        CHECK(whole && (uintptr_t)whole % os_page == 0);
        CHECK(malloc_usable_size(whole) >= (size + os_page - 1) / os_page * os_page);
        memset(whole, 2, malloc_usable_size(whole));
        CHECK(block[0] == 1 && block[size - 1] == 1);
        free(block);
        free(whole);
    }
    return 0;
}
