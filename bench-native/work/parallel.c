/* Do threads that share nothing get in each other's way?
 *
 *   parallel THREADS */
#include "work.h"

#define WINDOW 1000
#define TURNS 18000000
#define SIZE 64

static long threads;

static void *body(void *argument) {
    void **window = own_memory(WINDOW * sizeof *window);
    int at = 0;
    for (long i = (intptr_t)argument; i < TURNS; i += threads) {
        free(window[at]);
        window[at] = take(SIZE);
        at = at + 1 < WINDOW ? at + 1 : 0;
    }
    for (at = 0; at < WINDOW; at++)
        free(window[at]);
    return NULL;
}

int main(int argc, char **argv) {
    threads = argument(argc, argv, 1, 2);
    in_threads((int)threads, body);
    return work_end();
}
