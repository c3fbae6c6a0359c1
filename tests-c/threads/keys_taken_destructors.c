/*
 * Destructors of all keys that a process may have allocate in every round, and strand nothing.
 */
#include "../lib/test.h"
#include <limits.h>

static pthread_key_t keys[PTHREAD_KEYS_MAX];
static int count;

struct round {
    size_t left, key;
};

static void destructor(void *value)
{
    struct round *round = value, copy = *round;
    free(round);
    free(hide(malloc(500)));
    if (copy.left > 0) {
        struct round *next = malloc(64 + copy.left * 300);
        CHECK(next);
        next->left = copy.left - 1;
        next->key = copy.key;
        pthread_setspecific(keys[copy.key], next);
    }
}

static void *body(void *argument)
{
    for (int i = 0; i < count; i++) {
        struct round *round = calloc(1, 100);
        CHECK(round);
        round->left = i % 64 == 0 ? PTHREAD_DESTRUCTOR_ITERATIONS - 2 : 0;
        round->key = (size_t)i;
        CHECK(pthread_setspecific(keys[i], round) == 0);
    }
    return argument;
}

int main(void)
{
    size_t start = 0;
    while (count < PTHREAD_KEYS_MAX && pthread_key_create(&keys[count], destructor) == 0)
        count++;
    CHECK(count > 900);
    for (int turn = 0; turn < 600; turn++) {
        run_thread_body(body, NULL);
        if (turn == 100)
            start = resident();
    }
    if (resident() > start + 4 * MIB)
        FAIL("resident %zu KiB after 100 threads, %zu KiB after 600", start / KIB, resident() / KIB);
    return 0;
}
