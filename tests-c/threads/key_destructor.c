/*
 * Destructors of pthread keys may allocate and free in any round, and strand nothing over 2500 threads.
 */
#include "../lib/churn.h"
#include <limits.h>

static pthread_key_t keys[8];

static void destructor(void *value)
{
    size_t round = ((size_t *)value)[0];
    fill(value, 4000, 1);
    CHECK(filled(value, 4000, 1));
    free(value);
    for (int i = 0; i < 50; i++) {
        void *block = malloc(100 + (size_t)i * 40);
        CHECK(block);
        memset(block, 1, 100);
        free(block);
    }
    if (round < PTHREAD_DESTRUCTOR_ITERATIONS - 1 && !pthread_getspecific(keys[round])) {
        size_t *next = malloc(4000);
        CHECK(next);
        next[0] = round + 1;
        pthread_setspecific(keys[round], next);
    }
}

static void *body(void *argument)
{
    for (int i = 0; i < 8; i++) {
        size_t *value = calloc(1, 4000);
        CHECK(value);
        pthread_setspecific(keys[i], value);
    }
    return argument;
}

int main(void)
{
    size_t start = 0;
    for (int i = 0; i < 8; i++)
        CHECK(pthread_key_create(&keys[i], destructor) == 0);
    for (int turn = 0; turn < 2500; turn++) {
        run_thread_body(body, NULL);
        if (turn == 100)
            start = resident();
    }
    if (resident() > start + 4 * MIB)
        FAIL("resident %zu KiB after 100 threads, %zu KiB after 2500", start / KIB, resident() / KIB);
    return 0;
}
