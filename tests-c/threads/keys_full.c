/*
 * Destructors of all 1024 keys may allocate and free in every round, and strand nothing over many threads.
 * force: arena
 */
#include "../lib/test.h"
#include <limits.h>

static pthread_key_t keys[PTHREAD_KEYS_MAX];
static size_t taken;

static void destructor(void *value)
{
    size_t *words = value;
    size_t at = words[0], round = words[1];
    CHECK(words[at % 8 + 2] == at);
    free(words);
    /* Every 16th key has a value again in the next round. */
    if (round + 1 < PTHREAD_DESTRUCTOR_ITERATIONS && at % 16 == 0) {
        CHECK(words = calloc(1, 200 + at));
        words[0] = at;
        words[1] = round + 1;
        words[at % 8 + 2] = at;
        CHECK(pthread_setspecific(keys[at], words) == 0);
    }
}

static void *body(void *argument)
{
    for (size_t i = 0; i < taken; i++) {
        size_t *words = calloc(1, 100 + i);
        CHECK(words);
        words[0] = i;
        words[i % 8 + 2] = i;
        CHECK(pthread_setspecific(keys[i], words) == 0);
    }
    return argument;
}

int main(void)
{
    size_t start = 0;
    while (taken < PTHREAD_KEYS_MAX && pthread_key_create(&keys[taken], destructor) == 0)
        taken++;
    CHECK(taken > PTHREAD_KEYS_MAX - 20);
    for (int turn = 0; turn < 1000; turn++) {
        run_thread_body(body, NULL);
        if (turn == 50)
            start = resident();
    }
    if (resident() > start + 4 * MIB)
        FAIL("resident %zu KiB after 50 threads, %zu KiB after 1000", start / KIB, resident() / KIB);
    return 0;
}
