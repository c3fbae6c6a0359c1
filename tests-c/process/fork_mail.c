/*
 * A thread for which freed blocks wait forks: the child has them, and can free what its parent's threads hold.
 * force: arena
 */
#include "../lib/churn.h"

enum { BLOCKS = 4000, THREADS = 3 };
static void *waiting[BLOCKS], *held[THREADS][BLOCKS];
static pthread_barrier_t made, end;

static size_t size_of(size_t i)
{
    return i % 50 == 0 ? 100 * KIB : i % 7 * 100 + 1;
}

/* Frees the main thread's blocks, of which some may still be on their way, and holds some of its own. */
static void *body(void *argument)
{
    size_t me = (size_t)argument;
    for (size_t i = me; i < BLOCKS; i += THREADS)
        free(waiting[i]);
    for (size_t i = 0; i < BLOCKS; i++) {
        CHECK(held[me][i] = malloc(size_of(i)));
        memset(held[me][i], (int)i, size_of(i));
    }
    pthread_barrier_wait(&made);
    pthread_barrier_wait(&end);
    return NULL;
}

static void *quick(void *argument)
{
    churn_once((uint64_t)argument, 300);
    return NULL;
}

static void check_held(void)
{
    for (size_t k = 0; k < THREADS; k++)
        for (size_t i = 0; i < BLOCKS; i++) {
            unsigned char *bytes = held[k][i];
            CHECK(bytes[0] == (i & 255) && bytes[size_of(i) - 1] == (i & 255));
            free(bytes);
        }
}

int main(void)
{
    pthread_t threads[THREADS];
    alarm(25);
    for (int turn = 0; turn < 5; turn++) {
        pthread_barrier_init(&made, NULL, THREADS + 1);
        pthread_barrier_init(&end, NULL, THREADS + 1);
        for (size_t i = 0; i < BLOCKS; i++)
            CHECK(waiting[i] = malloc(size_of(i)));
        for (size_t k = 0; k < THREADS; k++)
            CHECK(pthread_create(&threads[k], NULL, body, (void *)k) == 0);
        pthread_barrier_wait(&made);
        pid_t child = fork();
        if (child == 0) {
            alarm(20);
            for (size_t i = 0; i < BLOCKS; i++)
                CHECK(waiting[i] = calloc(1, size_of(i)));
            pthread_t more[2];
            for (size_t k = 0; k < 2; k++)
                CHECK(pthread_create(&more[k], NULL, quick, (void *)k) == 0);
            check_held();
            for (size_t k = 0; k < 2; k++)
                pthread_join(more[k], NULL);
            for (size_t i = 0; i < BLOCKS; i++)
                free(waiting[i]);
            exit(0);
        }
        check_child(child);
        pthread_barrier_wait(&end);
        for (size_t k = 0; k < THREADS; k++)
            pthread_join(threads[k], NULL);
        check_held();
    }
    return 0;
}
