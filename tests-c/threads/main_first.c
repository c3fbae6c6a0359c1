/*
 * The main thread may end first: others free what it left, and the process ends with the last of them.
 */
#include "../lib/churn.h"

static struct slot slots[200];
static pthread_t first;

static void *body(void *argument)
{
    churn_once((uint64_t)argument, 2000);
    if (!argument)
        return NULL;
    pthread_join(first, NULL);
    churn(slots, 100, 256 * KIB, 2000, 1);
    churn_end(slots, 200);
    exit(0);
}

int main(void)
{
    pthread_t threads[2];
    first = pthread_self();
    churn(slots, 200, 256 * KIB, 3000, 2);
    CHECK(pthread_create(&threads[0], NULL, body, NULL) == 0);
    CHECK(pthread_create(&threads[1], NULL, body, (void *)1) == 0);
    pthread_exit(NULL);
}
