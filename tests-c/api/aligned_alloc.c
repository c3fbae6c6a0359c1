/*
 * aligned_alloc and memalign align to 64 MiB and less for sizes that are no multiple, and round odd alignments up.
 * force: slab buddy system arena
 */
#include "../lib/test.h"

static size_t power_of_two(size_t alignment)
{
    size_t power = 16;
    while (power < alignment)
        power *= 2;
    return power;
}

static void *aligned(int way, size_t alignment, size_t size)
{
    return way ? aligned_alloc(alignment, size) : memalign(alignment, size);
}

int main(void)
{
    static const size_t sizes[] = {1, 24, 100, 4000, 33 * KIB, MIB + 1};
    for (int way = 0; way < 2; way++) {
        for (size_t alignment = 1; alignment <= 64 * MIB; alignment *= 2) {
            for (size_t i = 0; i < COUNT(sizes); i++) {
                char *block = aligned(way, alignment, sizes[i]);
                CHECK(block && (uintptr_t)block % alignment == 0);
                CHECK((uintptr_t)block % 16 == 0);
                CHECK(malloc_usable_size(block) >= sizes[i]);
                memset(block, 1, sizes[i]);
                free(block);
            }
        }
        static const size_t odd[] = {0, 3, 17, 24, 48, 100, 1000, 5000, 100000};
        for (size_t i = 0; i < COUNT(odd); i++) {
            char *block = aligned(way, hide_size(odd[i]), 100);
            CHECK(block && (uintptr_t)block % power_of_two(odd[i]) == 0);
            memset(block, 1, 100);
            free(block);
        }
        errno = 0;
        CHECK(aligned(way, hide_size(SIZE_MAX), 100) == NULL && errno == EINVAL);
        errno = 0;
        CHECK(aligned(way, hide_size(SIZE_MAX / 2 + 2), 100) == NULL && errno == EINVAL);
    }
    return 0;
}
