/*
 * Several threads may fork at the same time, and every child and the parent go on.
 */
#include "../lib/churn.h"

static void *body(void *argument)
{
    for (int turn = 0; turn < 40; turn++) {
        pid_t child = fork();
        if (child == 0) {
            alarm(20);
            churn_once((uint64_t)turn, 300);
            _exit(0);
        }
        churn_once((uint64_t)argument, 200);
        check_child(child);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[4];
    for (size_t i = 0; i < 4; i++)
        CHECK(pthread_create(&threads[i], NULL, body, (void *)i) == 0);
    for (size_t i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
