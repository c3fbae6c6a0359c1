/*
 * A child forked while other threads hammer malloc can use malloc and free heavily, and start threads.
 * force: arena
 */
#include "../lib/churn.h"

static volatile int stop;

static void *hammer(void *argument)
{
    for (uint64_t seed = (uint64_t)argument; !stop; seed++)
        churn_once(seed, 500);
    return NULL;
}

static void *child_thread(void *argument)
{
    churn_once(99, 500);
    return argument;
}

int main(void)
{
    pthread_t threads[3];
    static struct slot slots[100];
    for (size_t i = 0; i < 3; i++)
        CHECK(pthread_create(&threads[i], NULL, hammer, (void *)(i * 1000)) == 0);
    churn(slots, 100, 64 * KIB, 2000, 1);
    for (int turn = 0; turn < 150; turn++) {
        pid_t child = fork();
        if (child == 0) {
            alarm(20);
            churn(slots, 100, 64 * KIB, 300, (uint64_t)turn);
            churn_end(slots, 100);
            churn_once(5, 300);
            run_thread_body(child_thread, NULL);
            exit(0);
        }
        churn(slots, 100, 64 * KIB, 100, (uint64_t)turn);
        check_child(child);
    }
    stop = 1;
    for (size_t i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    churn_end(slots, 100);
    return 0;
}
