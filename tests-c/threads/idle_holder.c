/*
 * Threads of the lowest priority that are in the middle of malloc do not keep others from going on.
 */
#include "../lib/churn.h"
#include <sched.h>

enum { IDLE = 4, BUSY = 3 };
static volatile int stop;

/* Sizes that reach the parts that all threads share. */
static void work(uint64_t seed, long turns)
{
    static const size_t sizes[] = {40, 3000, 30 * KIB, 300 * KIB, 3 * MIB, 20 * MIB};
    void *blocks[30] = {NULL};
    uint64_t random = seed * 77 + 1;
    while (turns-- > 0) {
        size_t i = random_next(&random) % COUNT(blocks);
        free(blocks[i]);
        blocks[i] = malloc(sizes[random_next(&random) % COUNT(sizes)]);
        CHECK(blocks[i]);
        *(char *)blocks[i] = 1;
    }
    for (size_t i = 0; i < COUNT(blocks); i++)
        free(blocks[i]);
}

static void *idle(void *argument)
{
    struct sched_param none = {0};
    CHECK(pthread_setschedparam(pthread_self(), SCHED_IDLE, &none) == 0);
    for (uint64_t seed = (uint64_t)argument; !stop; seed++)
        work(seed, 100);
    return NULL;
}

static void *busy(void *argument)
{
    work((uint64_t)argument, 3000);
    return NULL;
}

int main(void)
{
    pthread_t idlers[IDLE], threads[BUSY];
    struct sched_param none = {0};
    alarm(25);
    for (size_t i = 0; i < IDLE; i++)
        CHECK(pthread_create(&idlers[i], NULL, idle, (void *)i) == 0);
    for (int turn = 0; turn < 3; turn++) {
        for (size_t i = 0; i < BUSY; i++)
            CHECK(pthread_create(&threads[i], NULL, busy, (void *)(100 + i)) == 0);
        for (size_t i = 0; i < BUSY; i++)
            pthread_join(threads[i], NULL);
    }
    stop = 1;
    for (size_t i = 0; i < IDLE; i++) {
        /* So that it ends soon; it may have ended already. */
        pthread_setschedparam(idlers[i], SCHED_OTHER, &none);
        pthread_join(idlers[i], NULL);
    }
    return 0;
}
