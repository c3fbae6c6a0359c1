/* What is held of the memory of threads that sleep while another thread frees all their blocks and
 * allocates as much again: can it be used before they wake?
 *
 *   asleep THREADS       in the end THREADS x 4 MiB are in use */
#include "work.h"

#define SHARES 32 /* of all threads in all rounds */
#define SHARE (4 * MIB)
#define LEAST 16
#define MOST 512

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static long threads, round_now, ready;
static void **blocks; /* all that is in use */
static size_t count;

static size_t allocate(void **to, uint64_t random) {
    size_t n = 0, size;
    for (size_t sum = 0; sum < SHARE; sum += size)
        to[n++] = take(size = between(&random, LEAST, MOST));
    return n;
}

static void free_all(uint64_t random) {
    while (count) {
        void **p = &blocks[below(&random, count)];
        free(*p);
        *p = blocks[--count];
    }
}

static void *body(void *argument) {
    long me = (intptr_t)argument, done = 0;
    void **own = own_memory(SHARE / LEAST * sizeof *own);
    for (;;) {
        pthread_mutex_lock(&lock);
        while (round_now == done)
            pthread_cond_wait(&change, &lock);
        done = round_now;
        pthread_mutex_unlock(&lock);
        size_t n = allocate(own, 7919 * (uint64_t)(done * threads + me) + 1);
        pthread_mutex_lock(&lock);
        memcpy(blocks + count, own, n * sizeof *own);
        count += n;
        ready++;
        pthread_cond_broadcast(&change);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(int argc, char **argv) {
    threads = argument(argc, argv, 1, 8);
    blocks = own_memory((size_t)threads * SHARE / LEAST * sizeof *blocks);
    for (long i = 0; i < threads; i++) {
        pthread_t thread;
        start_thread(&thread, body, (void *)i);
    }
    for (long i = 0; i < SHARES / threads; i++) {
        free_all(i + 1);
        pthread_mutex_lock(&lock);
        round_now++;
        ready = 0;
        pthread_cond_broadcast(&change);
        while (ready < threads)
            pthread_cond_wait(&change, &lock);
        pthread_mutex_unlock(&lock);
        free_all(i + 1);
        for (long share = 0; share < threads; share++)
            count += allocate(blocks + count, 7919 * (uint64_t)(i * threads + share) + 1);
    }
    return work_end();
}
