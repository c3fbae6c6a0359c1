/* What does a thread pool hold whose threads had their peaks one after the other, when all are idle?
 * Memory that one thread has freed could serve the next.
 *
 *   pool THREADS */
#include "work.h"

#define PEAKS 48
#define PEAK (8 * MIB)
#define LEAST 16
#define MOST 512

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t next = PTHREAD_COND_INITIALIZER;
static long threads, peaks;

static void have_peak(uint64_t random) {
    static void *blocks[PEAK / LEAST];
    size_t count = 0, size;
    for (size_t sum = 0; sum < PEAK; sum += size)
        blocks[count++] = take(size = between(&random, LEAST, MOST));
    for (size_t i = 0; i < count; i++)
        free(blocks[i]);
}

static void *body(void *argument) {
    for (long turn = (intptr_t)argument; turn < PEAKS; turn += threads) {
        pthread_mutex_lock(&lock);
        while (peaks != turn)
            pthread_cond_wait(&next, &lock);
        have_peak(7919 * (uint64_t)turn + 1);
        peaks++;
        pthread_cond_broadcast(&next);
        pthread_mutex_unlock(&lock);
    }
    pause(); /* idle, to the end of the process */
    return NULL;
}

int main(int argc, char **argv) {
    threads = argument(argc, argv, 1, 8);
    for (long i = 0; i < threads; i++) {
        pthread_t thread;
        start_thread(&thread, body, (void *)i);
    }
    pthread_mutex_lock(&lock);
    while (peaks < PEAKS)
        pthread_cond_wait(&next, &lock);
    pthread_mutex_unlock(&lock);
    return work_end();
}
