/*
 * A child made by clone with shared memory allocates beside busy threads while the thread that made it waits.
 */
#include "../lib/churn.h"
#include <sched.h>

static struct slot slots[40];
static volatile int stop;

static void *hammer(void *argument)
{
    for (uint64_t seed = (uint64_t)argument; !stop; seed++)
        churn_once(seed, 500);
    return NULL;
}

static int body(void *argument)
{
    churn(slots, 40, 300 * KIB, 200, (uint64_t)argument);
    return 0;
}

int main(void)
{
    char *stack = own_memory(256 * KIB);
    pthread_t threads[2];
    for (size_t i = 0; i < 2; i++)
        CHECK(pthread_create(&threads[i], NULL, hammer, (void *)i) == 0);
    for (size_t turn = 0; turn < 60; turn++) {
        /* Both borrow this thread's storage, so this one must wait; it does so in either way. */
        int flags = CLONE_VM | SIGCHLD | (turn % 2 ? CLONE_VFORK : 0);
        pid_t child = clone(body, stack + 256 * KIB, flags, (void *)turn);
        check_child(child);
        churn(slots, 40, 300 * KIB, 100, turn);
    }
    stop = 1;
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    churn_end(slots, 40);
    return 0;
}
