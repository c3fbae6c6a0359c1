/*
 * Every size up to 300,000 gets a block of the smallest class that holds it, the second time as the first.
 * only: lohalloc
 */
#include "../lib/test.h"

int main(void)
{
    size_t usable = 0;
    for (size_t size = 1; size <= 300000; size++) {
        size_t before = usable;
        char *first = malloc(size);
        usable = malloc_usable_size(first);
        CHECK(first && usable >= size && (usable - size) * 8 <= size + 16 * 8);
        CHECK(usable == before || before == size - 1);
        first[size - 1] = 1;
        free(first);
        char *second = malloc(size);
        CHECK(second && malloc_usable_size(second) == usable);
        free(second);
    }
    return 0;
}
