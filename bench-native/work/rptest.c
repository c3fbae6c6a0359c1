/* What do blocks of all sizes up to two pages cost, taken and given back in no order, when a share
 * of them is freed by another thread than the one that allocated them?
 * After M. Jansson's rpmalloc-benchmark.
 *
 *   rptest THREADS */
#include "work.h"
#include <stdatomic.h>

#define LOOPS 400
#define BLOCKS 1000
#define TURNS 1500
#define HANDED 100 /* blocks at a time, every third that is freed */
#define LEAST 16
#define MOST 8000

struct block {
    struct block *next;
};
static struct {
    _Alignas(128) _Atomic(struct block *) blocks;
} box[64]; /* what another has left for a thread to free */
static long threads;

static void free_list(struct block *b) {
    while (b) {
        struct block *next = b->next;
        free(b);
        b = next;
    }
}

static void *body(void *argument) {
    long me = (intptr_t)argument;
    struct block **blocks = own_memory(BLOCKS * sizeof *blocks), *mine = NULL;
    for (long loop = me; loop < LOOPS; loop += threads) {
        uint64_t random = 7919 * (uint64_t)loop + 1;
        for (int i = 0; i < BLOCKS; i++)
            blocks[i] = take(between(&random, LEAST, MOST));
        for (int i = 1; i <= TURNS; i++) {
            struct block **b = &blocks[below(&random, BLOCKS)];
            if (i % 3) {
                free(*b);
            } else {
                (*b)->next = mine;
                mine = *b;
            }
            *b = take(between(&random, LEAST, MOST));
            if (i % (3 * HANDED) == 0) {
                long other = (me + 1 + (long)below(&random, threads > 1 ? threads - 1 : 1)) % threads;
                free_list(atomic_exchange(&box[other].blocks, mine)); /* left there, not fetched yet */
                mine = NULL;
                free_list(atomic_exchange(&box[me].blocks, NULL));
            }
        }
        for (int i = 0; i < BLOCKS; i++)
            free(blocks[i]);
    }
    return NULL;
}

int main(int argc, char **argv) {
    threads = argument(argc, argv, 1, 2);
    in_threads((int)threads, body);
    for (long i = 0; i < threads; i++)
        free_list(box[i].blocks);
    return work_end();
}
