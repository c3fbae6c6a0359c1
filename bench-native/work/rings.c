/* What does a block cost that takes the place of the oldest one in a ring, while sizes grow and shrink
 * and grow again, so that the new block is seldom of the old one's size?
 * After what MicroQuill's sh6bench and sh8bench ask of SmartHeap, with one thread.
 *
 *   rings 6|8    6: one ring, blocks of one size after the other
 *                8: eight rings, each twice as long as the one before, and blocks of half to twice a
 *                   size that grows and shrinks */
#include "work.h"

#define RINGS 8
#define SHORTEST 100
#define TURNS 2
#define STEPS 120 /* from the least size to the most, and as many back */
#define STEP 8
#define BLOCKS 4000 /* of each size */

static void *places[RINGS][SHORTEST << (RINGS - 1)];
static size_t next[RINGS];

static void replace_oldest(int ring, size_t size) {
    void **at = &places[ring][next[ring]++ % ((size_t)SHORTEST << ring)];
    free(*at);
    *at = take(size);
}

int main(int argc, char **argv) {
    bool one = argument(argc, argv, 1, 6) == 6;
    uint64_t random = 1;
    for (int step = 0; step < TURNS * 2 * STEPS; step++) {
        int at = step % (2 * STEPS);
        size_t size = STEP * (size_t)(at < STEPS ? at + 1 : 2 * STEPS - at);
        for (int i = 0; i < BLOCKS; i++)
            if (one)
                replace_oldest(RINGS - 1, size);
            else
                replace_oldest((int)below(&random, RINGS), between(&random, size / 2, 2 * size));
    }
    for (int ring = 0; ring < RINGS; ring++)
        for (size_t i = 0; i < (size_t)SHORTEST << ring; i++)
            free(places[ring][i]);
    return work_end();
}
