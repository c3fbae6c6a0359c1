/*
 * Many idle threads cost little: each with one small block in hand, or after a freed block of 2 MiB.
 */
#include "../lib/test.h"

enum { THREADS = 400 };
static pthread_barrier_t worked, end;
static size_t size;
static int keeps;

static void *body(void *argument)
{
    char *block = malloc(size);
    CHECK(block);
    memset(block, 1, size);
    if (!keeps)
        free(block);
    pthread_barrier_wait(&worked);
    pthread_barrier_wait(&end);
    if (keeps)
        free(block);
    return argument;
}

static size_t cost(size_t bytes, int keep)
{
    pthread_t threads[THREADS];
    size_t start = resident();
    size = bytes;
    keeps = keep;
    pthread_barrier_init(&worked, NULL, THREADS + 1);
    pthread_barrier_init(&end, NULL, THREADS + 1);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, body, NULL) == 0);
    pthread_barrier_wait(&worked);
    size_t idle = resident();
    pthread_barrier_wait(&end);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return idle - start;
}

int main(void)
{
    size_t small = cost(100, 1), large = cost(2 * MIB, 0);
    if (small > THREADS * 96 * KIB)
        FAIL("%zu KiB a thread with one block", small / THREADS / KIB);
    if (large > 64 * MIB)
        FAIL("%zu MiB after blocks of 2 MiB in %d threads", large / MIB, THREADS);
    return 0;
}
