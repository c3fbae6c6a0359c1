/*
 * calloc gives zeros for 1 byte to 64 MiB, also where dirty blocks were freed before.
 * force: slab buddy system arena
 */
#include "../lib/test.h"

int main(void)
{
    for (int turn = 0; turn < 3; turn++) {
        for (size_t size = 1; size <= 64 * MIB; size += size < 4096 ? size / 8 + 1 : size / 2) {
            int many = size < 4096 ? 50 : size < MIB ? 4 : 1;
            char *blocks[50];
            for (int i = 0; i < many; i++) {
                blocks[i] = malloc(size);
                CHECK(blocks[i]);
                memset(blocks[i], 0xff, malloc_usable_size(blocks[i]));
            }
            for (int i = 0; i < many; i++)
                free(blocks[i]);
            for (int i = 0; i < many; i++) {
                blocks[i] = calloc(1, size);
                CHECK(blocks[i]);
                if (!all_zero(blocks[i], size))
                    FAIL("calloc(1, %zu) is not zero", size);
                memset(blocks[i], 0xff, size);
            }
            for (int i = 0; i < many; i++)
                free(blocks[i]);
        }
    }
    return 0;
}
