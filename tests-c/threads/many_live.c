/*
 * Five hundred threads alive at once each allocate, and their end gives the memory back;
 * what is kept where that recurs is less than the first peak.
 */
#include "../lib/test.h"

enum { THREADS = 500 };
static pthread_barrier_t barrier;
static size_t peak;

static void *body(void *argument)
{
    void *blocks[100];
    for (size_t i = 0; i < 100; i++) {
        CHECK(blocks[i] = malloc(50 + i * 5));
        fill(blocks[i], 50 + i * 5, i);
    }
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD && peak == 0)
        peak = resident();
    pthread_barrier_wait(&barrier);
    for (size_t i = 0; i < 100; i++) {
        CHECK(filled(blocks[i], 50 + i * 5, i));
        free(blocks[i]);
    }
    return argument;
}

int main(void)
{
    static pthread_t threads[THREADS];
    pthread_attr_t attributes;
    size_t after_first = 0;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 64 * KIB);
    for (int turn = 0; turn < 4; turn++) {
        pthread_barrier_init(&barrier, NULL, THREADS);
        for (int i = 0; i < THREADS; i++)
            CHECK(pthread_create(&threads[i], &attributes, body, NULL) == 0);
        for (int i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
        if (turn == 0)
            after_first = resident();
    }
    if (after_first > peak / 2 || resident() > peak)
        FAIL("resident %zu KiB at the peak, %zu KiB after 500 threads, %zu KiB after 2000", peak / KIB,
             after_first / KIB, resident() / KIB);
    return 0;
}
