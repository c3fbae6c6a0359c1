/*
 * Contents stay intact while four threads allocate and free 1 byte to 8 MiB at random.
 * force: slab buddy system arena
 */
#include "../lib/churn.h"

static struct slot slots[4][300];

static void *body(void *argument)
{
    size_t thread = (size_t)argument;
    churn(slots[thread], 300, 8 * MIB, 15000, thread + 10);
    churn_end(slots[thread], 300);
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
