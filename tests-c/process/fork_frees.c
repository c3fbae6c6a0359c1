/*
 * The threads of a forked child free and reallocate the blocks of all threads that its parent had.
 */
#include "../lib/churn.h"

enum { THREADS = 4, EACH = 300 };
static struct slot slots[THREADS][EACH];
static pthread_barrier_t built, end;

static void *owner(void *argument)
{
    uint64_t random = (uint64_t)argument + 77;
    for (int i = 0; i < EACH; i++)
        slot_new(&slots[(size_t)argument][i], i % 50 ? 2 * KIB : 300 * KIB, &random);
    pthread_barrier_wait(&built);
    pthread_barrier_wait(&end);
    return NULL;
}

static void *user(void *argument)
{
    uint64_t random = (uint64_t)argument + 99;
    for (size_t i = (size_t)argument; i < EACH; i += 3)
        for (int k = 0; k < THREADS; k++) {
            if (i % 2)
                slot_resize(&slots[k][i], 4 * KIB, &random);
            slot_free(&slots[k][i]);
        }
    churn_once((uint64_t)argument, 1000);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    pthread_barrier_init(&built, NULL, THREADS + 1);
    pthread_barrier_init(&end, NULL, THREADS + 1);
    for (size_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, owner, (void *)i) == 0);
    pthread_barrier_wait(&built);
    for (int turn = 0; turn < 10; turn++) {
        pid_t child = fork();
        if (child == 0) {
            pthread_t users[3];
            alarm(20);
            for (size_t i = 0; i < 3; i++)
                CHECK(pthread_create(&users[i], NULL, user, (void *)i) == 0);
            for (int i = 0; i < 3; i++)
                pthread_join(users[i], NULL);
            exit(0);
        }
        check_child(child);
    }
    pthread_barrier_wait(&end);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        churn_end(slots[i], EACH);
    }
    return 0;
}
