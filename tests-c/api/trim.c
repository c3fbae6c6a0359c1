/*
 * malloc_trim answers 0 or 1, for every argument, and keeps all bytes of blocks in use.
 */
#include "../lib/test.h"

int main(void)
{
    enum { BLOCKS = 5000 };
    void **blocks = own_memory(BLOCKS * sizeof *blocks);
    size_t *sizes = own_memory(BLOCKS * sizeof *sizes);
    static const size_t pads[] = {0, 1, 4096, MIB, (size_t)1 << 40};
    uint64_t state = 3;
    int answer = malloc_trim(0);
    CHECK(answer == 0 || answer == 1);
    for (int i = 0; i < BLOCKS; i++) {
        sizes[i] = random_size(&state, 200000);
        CHECK(blocks[i] = malloc(sizes[i]));
        fill(blocks[i], sizes[i], i);
    }
    for (size_t turn = 0; turn < COUNT(pads); turn++) {
        for (int i = (int)turn; i < BLOCKS; i += 7) {
            free(blocks[i]);
            blocks[i] = NULL;
        }
        answer = malloc_trim(pads[turn]);
        CHECK(answer == 0 || answer == 1);
        for (int i = 0; i < BLOCKS; i++)
            CHECK(!blocks[i] || filled(blocks[i], sizes[i], i));
        char *zero = calloc(1, 100000);
        CHECK(zero && all_zero(zero, 100000));
        fill(zero, 100000, 1);
        free(zero);
    }
    for (int i = 0; i < BLOCKS; i++)
        free(blocks[i]);
    malloc_trim(0);
    return 0;
}
