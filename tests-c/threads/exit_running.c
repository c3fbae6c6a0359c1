/*
 * The process ends cleanly while other threads are in the middle of malloc and free.
 */
#include "../lib/churn.h"

static void *body(void *argument)
{
    for (uint64_t seed = (uint64_t)argument;; seed++)
        churn_once(seed, 1000);
    return NULL;
}

int main(void)
{
    for (int turn = 0; turn < 60; turn++) {
        pid_t child = fork();
        if (child == 0) {
            pthread_t thread;
            alarm(20);
            for (size_t i = 0; i < 3; i++) {
                CHECK(pthread_create(&thread, NULL, body, (void *)i) == 0);
                pthread_detach(thread);
            }
            sleep_ms(turn % 6);
            exit(0);
        }
        check_child(child);
    }
    return 0;
}
