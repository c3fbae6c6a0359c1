/*
 * A child made by _Fork, which runs no fork handlers, may use malloc while other threads were in the middle of it.
 * only: lohalloc
 */
#include "../lib/churn.h"
#include "../lib/copies.h"

static volatile int stop;

static void *hammer(void *argument)
{
    for (uint64_t seed = (uint64_t)argument; !stop; seed++) {
        churn_once(seed, 100);
        free(hide(malloc(20 * MIB)));
        free(hide(malloc(600 * KIB)));
    }
    return NULL;
}

int main(void)
{
    static struct slot slots[50];
    pthread_t threads[2];
    NEED_WIPED_COPIES();
    churn(slots, 50, 64 * KIB, 1000, 1);
    for (size_t i = 0; i < 2; i++)
        CHECK(pthread_create(&threads[i], NULL, hammer, (void *)i) == 0);
    for (int turn = 0; turn < 60; turn++) {
        pid_t child = _Fork();
        if (child == 0) {
            alarm(20);
            free(hide(malloc(20 * MIB)));
            churn(slots, 50, 64 * KIB, 300, (uint64_t)turn);
            churn_end(slots, 50);
            /* A child of the child, with handlers again. */
            pid_t next = fork();
            if (next == 0) {
                churn_once((uint64_t)turn, 300);
                _exit(0);
            }
            check_child(next);
            _exit(0);
        }
        churn_once((uint64_t)turn, 100);
        check_child(child);
    }
    stop = 1;
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    churn_end(slots, 50);
    return 0;
}
