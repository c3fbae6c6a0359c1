/*
 * Threads that come and go in rounds and hand blocks on use what the threads before them left: 10 MiB in use take no more than 40.
 */
#include "../lib/test.h"

enum { ROUNDS = 40, THREADS = 8, SHARED = 16000, BLOCKS = 6000 };
static void *_Atomic shared[SHARED];

static void *body(void *argument)
{
    uint64_t random = 88172645463325252u * (2 * (uint64_t)argument + 1);
    for (size_t i = 0; i < BLOCKS; i++) {
        size_t size = (size_t)16 << random_next(&random) % 7;
        size += random_next(&random) % size;
        char *block = malloc(size);
        CHECK(block);
        memset(block, (int)i, size);
        if (random_next(&random) % 3 == 0)
            block = __atomic_exchange_n(&shared[random_next(&random) % SHARED], block, __ATOMIC_SEQ_CST);
        free(block);
    }
    return NULL;
}

int main(void)
{
    size_t start = resident(), most = 0;
    for (size_t round = 0; round < ROUNDS; round++) {
        pthread_t threads[THREADS];
        for (size_t i = 0; i < THREADS; i++)
            CHECK(pthread_create(&threads[i], NULL, body, (void *)(round * THREADS + i)) == 0);
        for (size_t i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
        for (size_t i = 0; i < SHARED; i += 5)
            free(__atomic_exchange_n(&shared[i], NULL, __ATOMIC_SEQ_CST));
        size_t now = resident() - start;
        most = now > most ? now : most;
    }
    printf("at most %zu MiB resident\n", most / MIB);
    if (most > 40 * MIB)
        FAIL("%zu MiB are resident", most / MIB);
    for (size_t i = 0; i < SHARED; i++)
        free(shared[i]);
    malloc_trim(0);
    if (resident() > start + 8 * MIB)
        FAIL("%zu MiB are left", (resident() - start) / MIB);
    return 0;
}
