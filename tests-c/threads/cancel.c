/*
 * malloc and free are no cancellation points.
 */
#include "../lib/churn.h"

static volatile int done;

static void *body(void *argument)
{
    pthread_cancel(pthread_self());
    churn_once(3, 5000);
    for (size_t size = 1; size < 64 * MIB; size *= 2) {
        char *block = malloc(size);
        CHECK(block);
        touch(block, size);
        block = realloc(block, size * 2);
        CHECK(block);
        free(block);
    }
    done = 1;
    pthread_testcancel();
    return argument;
}

int main(void)
{
    CHECK(run_thread_body(body, NULL) == PTHREAD_CANCELED);
    CHECK(done);
    return 0;
}
