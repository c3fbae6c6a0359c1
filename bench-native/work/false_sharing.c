/* Does the allocator make threads write to one cache line? *thrash*: does it give to several threads
 * small blocks that lie in the same line? *scratch*: the main thread allocates blocks next to each
 * other, and each thread frees one of them: is that block given to the thread again?
 * After E. D. Berger et al., "Hoard: a scalable memory allocator for multithreaded applications",
 * ASPLOS 2000 (cache-thrash and cache-scratch: active and passive false sharing).
 *
 *   false_sharing thrash|scratch THREADS */
#include "work.h"

#define BLOCKS 2000000
#define WRITES 160
#define SIZE 8

static void *given[64];
static long threads;

static void *body(void *argument) {
    long me = (intptr_t)argument;
    free(given[me]);
    for (long i = me; i < BLOCKS; i += threads) {
        volatile char *b = take(SIZE);
        for (int w = 0; w < WRITES; w++)
            b[w % SIZE] += 1;
        free((void *)b);
    }
    return NULL;
}

int main(int argc, char **argv) {
    threads = argument(argc, argv, 2, 2);
    if (argc > 1 && !strcmp(argv[1], "scratch")) {
        given[0] = take(SIZE);
        for (int tries = 0; tries < 8 && (uintptr_t)given[0] % 64 >= 32; tries++)
            given[0] = take(SIZE); /* early in its line, so that the next lies there too */
        for (long i = 1; i < threads; i++)
            given[i] = take(SIZE);
    }
    in_threads((int)threads, body);
    return work_end();
}
