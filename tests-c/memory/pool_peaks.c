/*
 * The threads of a pool that peak one after another and then sleep keep no more than two peaks together.
 * only: lohalloc
 */
#include "../lib/test.h"

enum { THREADS = 24 };
#define PEAK (16 * MIB)
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t peaked, end;
static size_t low, high;

static void *body(void *argument)
{
    pthread_mutex_lock(&turn);
    size_t most = PEAK / low + 1, count = 0, bytes = 0;
    char **blocks = own_memory(most * sizeof *blocks);
    uint64_t random = 88172645463325252u + (uintptr_t)argument;
    while (bytes < PEAK) {
        size_t size = low + random_next(&random) % (high - low + 1);
        CHECK(blocks[count] = malloc(size));
        memset(blocks[count++], 1, size);
        bytes += size;
    }
    for (size_t i = 0; i < count; i++)
        free(blocks[i]);
    munmap(blocks, most * sizeof *blocks);
    pthread_mutex_unlock(&turn);
    pthread_barrier_wait(&peaked);
    pthread_barrier_wait(&end);
    return NULL;
}

static void pool(size_t from, size_t to)
{
    pthread_t threads[THREADS];
    size_t start = resident();
    low = from;
    high = to;
    pthread_barrier_init(&peaked, NULL, THREADS + 1);
    pthread_barrier_init(&end, NULL, THREADS + 1);
    for (size_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, body, (void *)i) == 0);
    pthread_barrier_wait(&peaked);
    size_t idle = resident();
    printf("%zu to %zu bytes: idle %zu KiB\n", from, to, (idle - start) / KIB);
    if (idle > start + 2 * PEAK + 4 * MIB)
        FAIL("%zu to %zu bytes: start %zu KiB, idle %zu KiB", from, to, start / KIB, idle / KIB);
    pthread_barrier_wait(&end);
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

int main(void)
{
    pool(16, 512);
    pool(16, 64 * KIB);
    pool(KIB, 256 * KIB);
    return 0;
}
