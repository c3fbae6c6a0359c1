/* What does it cost when one thread allocates and another frees: do blocks find their way back to
 * the threads that allocate, and how cheaply?
 * After C. Lever and D. Boreham, "malloc() performance in a multithreaded Linux environment",
 * USENIX 2000 (the xmalloc-test program).
 *
 *   xmalloc THREADS      as many producers, and as many consumers */
#include "work.h"

#define BATCHES 16000
#define BLOCKS 120
#define WAITING 64

struct batch {
    struct batch *next;
    void *blocks[BLOCKS];
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full = PTHREAD_COND_INITIALIZER;
static struct batch *first, **last = &first;
static long threads, waiting, begun, ended;

static void produce(void) {
    pthread_mutex_lock(&lock);
    while (begun < BATCHES) {
        uint64_t random = 7919 * (uint64_t)begun++ + 1;
        pthread_mutex_unlock(&lock);
        struct batch *b = take(sizeof *b);
        b->next = NULL;
        for (int i = 0; i < BLOCKS; i++) /* 8, 12, 16, 24, ... 768 bytes */
            b->blocks[i] = take((2 + below(&random, 2)) * 4 << below(&random, 7));
        pthread_mutex_lock(&lock);
        while (waiting == WAITING)
            pthread_cond_wait(&not_full, &lock);
        waiting++;
        *last = b;
        last = &b->next;
        pthread_cond_signal(&not_empty);
    }
    pthread_mutex_unlock(&lock);
}

static void consume(void) {
    pthread_mutex_lock(&lock);
    for (;;) {
        while (!first && ended < BATCHES)
            pthread_cond_wait(&not_empty, &lock);
        struct batch *b = first;
        if (!b)
            break;
        first = b->next;
        if (!first)
            last = &first;
        waiting--;
        if (++ended == BATCHES)
            pthread_cond_broadcast(&not_empty);
        pthread_cond_signal(&not_full);
        pthread_mutex_unlock(&lock);
        for (int i = 0; i < BLOCKS; i++)
            free(b->blocks[i]);
        free(b);
        pthread_mutex_lock(&lock);
    }
    pthread_mutex_unlock(&lock);
}

static void *body(void *argument) {
    (intptr_t)argument < threads ? produce() : consume();
    return NULL;
}

int main(int argc, char **argv) {
    threads = argument(argc, argv, 1, 1);
    in_threads(2 * (int)threads, body);
    return work_end();
}
