/* What do blocks of one size cost that come in batches, and go the last one first, the first one first,
 * or every other one and then the rest?
 * After benchtests/bench-malloc-simple.c of the GNU C library.
 *
 *   glibc_simple      sizes 8 to 4096, batches of 25 to 1600 blocks */
#include "work.h"

#define MOST 1600
#define BLOCKS 80000 /* of each size, for each length of a batch */

static void *batch[MOST];

static void last_first(int count) {
    for (int i = count; i--;)
        free(batch[i]);
}

static void first_first(int count) {
    for (int i = 0; i < count; i++)
        free(batch[i]);
}

static void interleaved(int count) {
    for (int from = 0; from < 2; from++)
        for (int i = from; i < count; i += 2)
            free(batch[i]);
}

int main(void) {
    static void (*const orders[])(int) = {last_first, first_first, interleaved};
    for (size_t size = 8; size <= 4096; size *= 2)
        for (int count = 25; count <= MOST; count *= 4)
            for (int turn = 0; turn < BLOCKS / count; turn++) {
                for (int i = 0; i < count; i++)
                    batch[i] = take(size);
                orders[turn % 3](count);
            }
    return work_end();
}
