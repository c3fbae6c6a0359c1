/*
 * Handlers of at_quick_exit may allocate, free and start threads, also while other threads allocate.
 */
#include "../lib/churn.h"

static struct slot slots[40];

static void *hammer(void *argument)
{
    for (uint64_t seed = 1;; seed++)
        churn_once(seed, 200);
    return argument;
}

static void *once(void *argument)
{
    churn(slots, 40, 256 * KIB, 500, 3);
    return argument;
}

static void handler(void)
{
    churn(slots, 40, 256 * KIB, 100, 2);
}

static void first(void)
{
    run_thread_body(once, NULL);
    churn_end(slots, 40);
}

static void never(void)
{
    FAIL("quick_exit ran a handler of atexit");
}

int main(void)
{
    pthread_t thread;
    alarm(20);
    CHECK(atexit(never) == 0);
    CHECK(at_quick_exit(first) == 0);
    /* More than the 32 entries that libc has without malloc. */
    for (int i = 0; i < 50; i++)
        CHECK(at_quick_exit(handler) == 0);
    churn(slots, 40, 256 * KIB, 500, 1);
    CHECK(pthread_create(&thread, NULL, hammer, NULL) == 0);
    quick_exit(0);
}
