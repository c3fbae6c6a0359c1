/* How does a server fare whose threads replace blocks of a table at random and hand the table over
 * to a successor, so that most frees are of blocks that a thread gone by has allocated?
 * After P.-Å. Larson and M. Krishnan, "Memory allocation for long-running server applications",
 * ISMM 1998.
 *
 *   larson THREADS */
#include "work.h"

#define SLOTS 5000
#define TURNS 50000
#define GENERATIONS 80

struct table {
    void *slots[SLOTS];
    uint64_t random;
    int left;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static long running;

static void *serve(void *argument) {
    struct table *t = argument;
    for (int i = 0; i < TURNS; i++) {
        void **slot = &t->slots[below(&t->random, SLOTS)];
        free(*slot);
        *slot = take(between(&t->random, 8, 1000));
    }
    if (--t->left) {
        pthread_t next;
        start_thread(&next, serve, t);
        pthread_detach(next);
        return NULL;
    }
    pthread_mutex_lock(&lock);
    running--;
    pthread_cond_signal(&ended);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(int argc, char **argv) {
    long threads = argument(argc, argv, 1, 2);
    running = threads;
    for (long i = 0; i < threads; i++) {
        struct table *t = take(sizeof *t);
        *t = (struct table){.random = 7919 * (uint64_t)i + 1, .left = GENERATIONS};
        for (int slot = 0; slot < SLOTS; slot++)
            t->slots[slot] = take(between(&t->random, 8, 1000));
        pthread_t first;
        start_thread(&first, serve, t);
        pthread_detach(first);
    }
    pthread_mutex_lock(&lock);
    while (running)
        pthread_cond_wait(&ended, &lock);
    pthread_mutex_unlock(&lock);
    return work_end();
}
