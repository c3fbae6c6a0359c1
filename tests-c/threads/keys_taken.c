/*
 * Threads work and strand nothing when the program has taken every pthread key.
 */
#include "../lib/test.h"

static void *body(void *argument)
{
    static __thread void *blocks[200];
    for (int i = 0; i < 200; i++) {
        CHECK(blocks[i] = malloc(1000));
        memset(blocks[i], 1, 1000);
    }
    for (int i = 0; i < 200; i++)
        free(blocks[i]);
    return argument;
}

int main(void)
{
    pthread_key_t key;
    size_t start = 0;
    while (pthread_key_create(&key, NULL) == 0)
        ;
    for (int turn = 0; turn < 2500; turn++) {
        run_thread_body(body, NULL);
        if (turn == 100)
            start = resident();
    }
    if (resident() > start + 4 * MIB)
        FAIL("resident %zu KiB after 100 threads, %zu KiB after 2500", start / KIB, resident() / KIB);
    return 0;
}
