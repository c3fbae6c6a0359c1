/*
 * A thread may exec while others allocate, and the new program starts as any other.
 */
#include "../lib/churn.h"

static char **words;

static void *hammer(void *argument)
{
    for (uint64_t seed = (uint64_t)argument;; seed++)
        churn_once(seed, 200);
    return NULL;
}

static void *start_anew(void *argument)
{
    char left[16];
    churn_once(1, 100);
    snprintf(left, sizeof left, "%d", words[1] ? atoi(words[1]) - 1 : 20);
    char *list[] = {words[0], left, NULL};
    execv("/proc/self/exe", list);
    FAIL("exec: errno %d", errno);
    return argument;
}

int main(int count, char **arguments)
{
    pthread_t thread;
    words = arguments;
    if (count > 1 && atoi(arguments[1]) == 0) {
        churn_once(1, 1000);
        return 0;
    }
    for (size_t i = 0; i < 3; i++)
        CHECK(pthread_create(&thread, NULL, hammer, (void *)i) == 0);
    CHECK(pthread_create(&thread, NULL, start_anew, NULL) == 0);
    hammer((void *)99);
}
