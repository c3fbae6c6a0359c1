/* What does a free cost, and what is held, when nearly every block is freed by another thread than
 * the one that allocated it, one at a time and in no order? All threads replace blocks in one table.
 *
 *   pass THREADS */
#include "work.h"
#include <stdatomic.h>

#define SLOTS 20000
#define TURNS 2000000
#define LEAST 16
#define MOST 1040

static _Atomic(void *) table[SLOTS];
static long threads;

static void *body(void *argument) {
    long me = (intptr_t)argument;
    uint64_t random = 7919 * (uint64_t)me + 1;
    for (long i = me; i < TURNS; i += threads) {
        void *p = take(between(&random, LEAST, MOST));
        free(atomic_exchange(&table[below(&random, SLOTS)], p));
    }
    return NULL;
}

int main(int argc, char **argv) {
    threads = argument(argc, argv, 1, 2);
    in_threads((int)threads, body);
    for (int i = 0; i < SLOTS; i++)
        free(table[i]);
    return work_end();
}
