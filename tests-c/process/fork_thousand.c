/*
 * A fork of a process with 1000 threads costs little more where each has a heap than where none has.
 */
#include "../lib/test.h"

enum { THREADS = 1000, BLOCKS = 20, FORKS = 10 };
static pthread_barrier_t started, allocated, end;

static void *body(void *argument)
{
    void *blocks[BLOCKS];
    (void)argument;
    pthread_barrier_wait(&started);
    pthread_barrier_wait(&started);
    for (size_t i = 0; i < BLOCKS; i++)
        CHECK(blocks[i] = malloc(1 + i * 50));
    pthread_barrier_wait(&allocated);
    pthread_barrier_wait(&end);
    for (size_t i = 0; i < BLOCKS; i++)
        free(blocks[i]);
    return NULL;
}

/* Seconds for a fork, and for the child to allocate and end: the least of some. */
static double fork_cost(void)
{
    double least = 1e9;
    for (size_t turn = 0; turn < FORKS; turn++) {
        struct timespec from, to;
        clock_gettime(CLOCK_MONOTONIC, &from);
        pid_t child = fork();
        if (child == 0) {
            free(malloc(100));
            _exit(0);
        }
        check_child(child);
        clock_gettime(CLOCK_MONOTONIC, &to);
        double cost = (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
        least = cost < least ? cost : least;
    }
    return least;
}

int main(void)
{
    static pthread_t threads[THREADS];
    pthread_attr_t attributes;
    pthread_barrier_init(&started, NULL, THREADS + 1);
    pthread_barrier_init(&allocated, NULL, THREADS + 1);
    pthread_barrier_init(&end, NULL, THREADS + 1);
    pthread_attr_init(&attributes);
    CHECK(pthread_attr_setstacksize(&attributes, 64 * KIB) == 0);
    for (size_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], &attributes, body, NULL) == 0);
    pthread_barrier_wait(&started);
    double without = fork_cost();
    pthread_barrier_wait(&started);
    pthread_barrier_wait(&allocated);
    double with = fork_cost();
    pthread_barrier_wait(&end);
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    printf("%.1f ms without heaps, %.1f with\n", 1e3 * without, 1e3 * with);
    if (with > 8 * without + 0.05)
        FAIL("a fork costs %.1f ms, %.1f where no thread has a heap", 1e3 * with, 1e3 * without);
    return 0;
}
