/* What do millions of small blocks cost that live all at once and are freed in no order?
 *
 *   live      2 M blocks of 64 bytes */
#include "work.h"

#define BLOCKS 2000000

int main(void) {
    void **blocks = own_memory(BLOCKS * sizeof *blocks);
    uint64_t random = 1;
    for (size_t i = 0; i < BLOCKS; i++)
        blocks[i] = take(64);
    for (size_t left = BLOCKS; left; left--) {
        size_t at = below(&random, left);
        free(blocks[at]);
        blocks[at] = blocks[left - 1];
    }
    return work_end();
}
