/*
 * Threads that freed their own peak and then sleep hold no more than a small part of it.
 * only: lohalloc
 */
#include "../lib/test.h"

enum { THREADS = 4, BLOCKS = 250000, SIZE = 500 };
static pthread_barrier_t built, freed, end;

static void *body(void *argument)
{
    void **blocks = own_memory(BLOCKS * sizeof *blocks);
    for (size_t i = 0; i < BLOCKS; i++) {
        CHECK(blocks[i] = malloc(SIZE));
        memset(blocks[i], 1, SIZE);
    }
    pthread_barrier_wait(&built);
    for (size_t i = 0; i < BLOCKS; i++)
        free(blocks[i]);
    munmap(blocks, BLOCKS * sizeof *blocks);
    pthread_barrier_wait(&freed);
    pthread_barrier_wait(&end);
    return argument;
}

int main(void)
{
    pthread_t threads[THREADS];
    size_t start = resident();
    pthread_barrier_init(&built, NULL, THREADS + 1);
    pthread_barrier_init(&freed, NULL, THREADS + 1);
    pthread_barrier_init(&end, NULL, THREADS + 1);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, body, NULL) == 0);
    pthread_barrier_wait(&built);
    size_t peak = resident();
    pthread_barrier_wait(&freed);
    sleep_ms(50);
    size_t idle = resident();
    if (idle > start + (peak - start) / 20 + 4 * MIB)
        FAIL("start %zu KiB, peak %zu KiB, idle %zu KiB", start / KIB, peak / KIB, idle / KIB);
    pthread_barrier_wait(&end);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
