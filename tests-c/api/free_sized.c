/*
 * free_sized and free_aligned_sized free what was asked for with that size, also after a realloc, and keep errno.
 * only: lohalloc
 * ways: so a
 */
#include "../lib/test.h"
#include <lohalloc.h>

int main(void)
{
    free(malloc(1));
    size_t start = mallinfo2().uordblks;
    for (int turn = 0; turn < 3; turn++) {
        for (size_t size = 0; size < 40 * MIB; size = size * 5 / 3 + 1) {
            errno = 1234;
            free_sized(malloc(size), size);
            free_sized(calloc(1, size), size);
            lohalloc_free_sized(malloc(size), size);
            for (size_t part = 1; part <= 8; part++) {
                void *block = realloc(malloc(size), size * part / 8 + 1);
                CHECK(block);
                free_sized(block, size * part / 8 + 1);
            }
            for (size_t align = 1; align <= MIB; align *= 16) {
                void *block = aligned_alloc(align, size);
                CHECK(block);
                free_aligned_sized(block, align, size);
                block = aligned_alloc(align, size);
                lohalloc_free_aligned_sized(block, align, size);
            }
            /* As in aligned_alloc, another alignment counts as the next power of two. */
            free_aligned_sized(aligned_alloc(hide_size(48), size), 48, size);
            CHECK(errno == 1234);
        }
    }
    free_sized(NULL, 0);
    free_sized(NULL, 100);
    free_aligned_sized(NULL, 64, 128);
    /* All of it came back. */
    CHECK(mallinfo2().uordblks < start + 10000 && mallinfo2().hblks == 0);
    return 0;
}
