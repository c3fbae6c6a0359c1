/*
 * A thread may replace the program by exec while others are in the middle of malloc and free.
 */
#include "../lib/churn.h"

static char **again;

static void *hammer(void *argument)
{
    for (uint64_t seed = (uint64_t)argument;; seed++)
        churn_once(seed, 500);
    return NULL;
}

static void *body(void *argument)
{
    execv(again[0], again);
    return argument;
}

int main(int count, char **arguments)
{
    int left = count > 1 ? atoi(arguments[1]) : 15;
    char text[16];
    char *next[] = {arguments[0], text, NULL};
    churn_once((uint64_t)left, 500);
    if (left == 0)
        return 0;
    snprintf(text, sizeof text, "%d", left - 1);
    again = next;
    for (size_t i = 0; i < 2; i++) {
        pthread_t thread;
        CHECK(pthread_create(&thread, NULL, hammer, (void *)i) == 0);
    }
    sleep_ms(left % 3);
    if (left % 2)
        body(NULL);
    run_thread_body(body, NULL);
    FAIL("exec: errno %d", errno);
}
