/*
 * A process with 400 threads, all of which have blocks, can fork, and the child can free them all.
 */
#include "../lib/churn.h"

enum { THREADS = 400, BLOCKS = 20 };
static void *blocks[THREADS][BLOCKS];
static pthread_barrier_t built, end;

static void *body(void *argument)
{
    size_t me = (size_t)argument;
    for (size_t i = 0; i < BLOCKS; i++) {
        CHECK(blocks[me][i] = malloc(1 + i * 100));
        memset(blocks[me][i], (int)me, 1 + i * 100);
    }
    pthread_barrier_wait(&built);
    pthread_barrier_wait(&end);
    return NULL;
}

static void free_all(void)
{
    for (size_t k = 0; k < THREADS; k++)
        for (size_t i = 0; i < BLOCKS; i++) {
            CHECK(*(unsigned char *)blocks[k][i] == (k & 255));
            free(blocks[k][i]);
        }
}

static void *more(void *argument)
{
    churn_once((uint64_t)argument, 100);
    return NULL;
}

int main(void)
{
    static pthread_t threads[THREADS];
    pthread_attr_t attributes;
    pthread_barrier_init(&built, NULL, THREADS + 1);
    pthread_barrier_init(&end, NULL, THREADS + 1);
    pthread_attr_init(&attributes);
    CHECK(pthread_attr_setstacksize(&attributes, 64 * KIB) == 0);
    for (size_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], &attributes, body, (void *)i) == 0);
    pthread_barrier_wait(&built);
    for (size_t turn = 0; turn < 10; turn++) {
        pid_t child = fork();
        if (child == 0) {
            alarm(20);
            if (turn % 2)
                free_all();
            for (size_t i = 0; i < 5; i++)
                run_thread_body(more, (void *)i);
            if (turn % 2 == 0)
                free_all();
            exit(0);
        }
        check_child(child);
    }
    pthread_barrier_wait(&end);
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    free_all();
    return 0;
}
