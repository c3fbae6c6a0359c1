/*
 * Thirty rounds of a server's work (sessions, caches that turn over, a backup of large buffers) do not creep.
 */
#include "../lib/churn.h"

static void *session(void *argument)
{
    static __thread struct slot slots[300];
    churn(slots, 300, 64 * KIB, 6000, (uint64_t)argument);
    churn_end(slots, 300);
    return NULL;
}

int main(void)
{
    static struct slot cache[4000];
    size_t early = 0;
    uint64_t random = 7;
    for (size_t round = 0; round < 30; round++) {
        pthread_t threads[4];
        for (size_t i = 0; i < 4; i++)
            CHECK(pthread_create(&threads[i], NULL, session, (void *)(round * 4 + i + 1)) == 0);
        for (int i = 0; i < 4; i++)
            pthread_join(threads[i], NULL);
        for (size_t i = 0; i < COUNT(cache); i++)
            if (random_next(&random) % 3 == 0) {
                slot_free(&cache[i]);
                slot_new(&cache[i], 8 * KIB, &random);
            }
        char *buffers[10];
        for (size_t i = 0; i < 10; i++) {
            buffers[i] = malloc((i + round % 3) * MIB + 1);
            CHECK(buffers[i]);
            touch(buffers[i], (i + round % 3) * MIB);
        }
        for (size_t i = 0; i < 10; i++)
            free(buffers[i]);
        if (round == 9)
            early = status_bytes("VmHWM:");
    }
    size_t late = status_bytes("VmHWM:");
    if (late > early + early / 8 + 4 * MIB)
        FAIL("%zu KiB resident at most in 10 rounds, %zu in 30", early / KIB, late / KIB);
    return 0;
}
