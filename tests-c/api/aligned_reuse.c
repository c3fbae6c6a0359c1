/*
 * A loop of aligned and small blocks uses its memory again and wastes none on alignment.
 * only: lohalloc
 */
#include "../lib/test.h"

int main(void)
{
    static void *small[4000];
    size_t start = 0;
    for (int turn = 0; turn < 300; turn++) {
        void *big[8];
        for (int i = 0; i < 8; i++) {
            CHECK(posix_memalign(&big[i], (size_t)64 << i * 2, 20000 * (size_t)(i + 1)) == 0);
            memset(big[i], 1, 20000 * (size_t)(i + 1));
            int slot = (turn * 8 + i) % 4000;
            free(small[slot]);
            CHECK(small[slot] = malloc(40 + (size_t)(turn % 100)));
        }
        for (int i = 0; i < 8; i++)
            free(big[i]);
        if (turn == 20)
            start = resident();
    }
    CHECK(resident() < start + 6 * MIB);
    for (int i = 0; i < 4000; i++)
        free(small[i]);
    /* 2000 blocks of 64 bytes at 64 bytes each are 128 KiB, not OS pages. */
    static void *blocks[20000];
    start = resident();
    for (int i = 0; i < 20000; i++) {
        CHECK(posix_memalign(&blocks[i], 64, 64) == 0);
        memset(blocks[i], 1, 64);
    }
    CHECK(resident() < start + 4 * MIB);
    for (int i = 0; i < 20000; i++)
        free(blocks[i]);
    return 0;
}
