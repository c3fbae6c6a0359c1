/* What does a replacement cost in a small working set of each thread's own, with sizes as real
 * programs have them: most small, few up to 32 KiB?
 * After benchtests/bench-malloc-thread.c of the GNU C library.
 *
 *   glibc_thread THREADS */
#include "work.h"

#define SLOTS 1024
#define TURNS 10000000
#define LEAST 4.0
#define MOST 32768.0

static long threads;

/* The frequency of a size falls with its square. */
static size_t some_size(uint64_t *random) {
    double part = (double)(next_random(random) >> 11) / (double)(1ull << 53);
    return (size_t)(1 / (1 / LEAST - part * (1 / LEAST - 1 / MOST)));
}

static void *body(void *argument) {
    long me = (intptr_t)argument;
    uint64_t random = 7919 * (uint64_t)me + 1;
    void **slots = own_memory(SLOTS * sizeof *slots);
    for (long i = me; i < TURNS; i += threads) {
        void **slot = &slots[below(&random, SLOTS)];
        free(*slot);
        *slot = take(some_size(&random));
    }
    for (int i = 0; i < SLOTS; i++)
        free(slots[i]);
    return NULL;
}

int main(int argc, char **argv) {
    threads = argument(argc, argv, 1, 2);
    in_threads((int)threads, body);
    return work_end();
}
