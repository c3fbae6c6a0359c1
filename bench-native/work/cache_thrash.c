/* Does the allocator cause false sharing: does it give to several threads small blocks that lie in
 * the same cache line, which they then all write to?
 * After E. D. Berger et al., "Hoard: a scalable memory allocator for multithreaded applications",
 * ASPLOS 2000 (cache-thrash, active false sharing).
 *
 *   cache_thrash THREADS */
#include "work.h"

#define BLOCKS 2000000
#define WRITES 160
#define SIZE 8

static long threads;

static void *body(void *argument) {
    for (long i = (intptr_t)argument; i < BLOCKS; i += threads) {
        volatile char *b = take(SIZE);
        for (int w = 0; w < WRITES; w++)
            b[w % SIZE] += 1;
        free((void *)b);
    }
    return NULL;
}

int main(int argc, char **argv) {
    threads = argument(argc, argv, 1, 2);
    in_threads((int)threads, body);
    return work_end();
}
