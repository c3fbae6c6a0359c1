/*
 * Blocks that are shorter than their alignment are aligned, too, and do not overlap.
 */
#include "../lib/test.h"

int main(void)
{
    enum { BLOCKS = 200 };
    static unsigned char *blocks[BLOCKS];
    for (size_t align = 16; align <= 64 * KIB; align *= 2) {
        for (size_t size = 1; size < align; size = size * 4 + 1) {
            for (int i = 0; i < BLOCKS; i++) {
                void *out = NULL;
                if (i % 3 == 0)
                    CHECK(posix_memalign(&out, align, size) == 0);
                else
                    out = i % 3 == 1 ? memalign(align, size) : aligned_alloc(align, size);
                CHECK(out && (uintptr_t)out % align == 0);
                blocks[i] = out;
                memset(out, i, malloc_usable_size(out));
            }
            for (int i = 0; i < BLOCKS; i++) {
                for (size_t k = 0; k < size; k++)
                    CHECK(blocks[i][k] == (unsigned char)i);
                free(blocks[i]);
            }
        }
    }
    return 0;
}
