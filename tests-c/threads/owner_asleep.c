/*
 * Memory whose owner sleeps while others free it falls back to the system or serves the others.
 * only: lohalloc
 */
#include "../lib/test.h"

enum { BLOCKS = 1000000, SIZE = 270 };
static void **blocks;
static int filled_up, stop;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *owner(void *argument)
{
    for (size_t i = 0; i < BLOCKS; i++) {
        CHECK(blocks[i] = malloc(SIZE));
        memset(blocks[i], 1, SIZE);
    }
    pthread_mutex_lock(&mutex);
    filled_up = 1;
    pthread_cond_broadcast(&changed);
    while (!stop)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    return argument;
}

static void *freer(void *argument)
{
    for (size_t i = (size_t)argument; i < BLOCKS; i += 3)
        free(blocks[i]);
    return NULL;
}

static void *user(void *argument)
{
    for (size_t i = (size_t)argument; i < BLOCKS; i += 3) {
        CHECK(blocks[i] = malloc(SIZE));
        memset(blocks[i], 2, SIZE);
    }
    return NULL;
}

static void three(void *(*body)(void *))
{
    pthread_t threads[3];
    for (size_t i = 0; i < 3; i++)
        CHECK(pthread_create(&threads[i], NULL, body, (void *)i) == 0);
    for (size_t i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
}

int main(void)
{
    pthread_t thread;
    blocks = own_memory(BLOCKS * sizeof *blocks);
    size_t start = resident();
    CHECK(pthread_create(&thread, NULL, owner, NULL) == 0);
    pthread_mutex_lock(&mutex);
    while (!filled_up)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    size_t peak = resident();
    three(freer);
    sleep_ms(50);
    size_t idle = resident();
    three(user);
    size_t top = status_bytes("VmHWM:");
    if (idle > start + (peak - start) / 4 && top > start + (peak - start) / 4 * 5)
        FAIL("peak %zu MiB, then idle %zu MiB, then %zu MiB with as many blocks again",
             peak / MIB, idle / MIB, top / MIB);
    three(freer);
    pthread_mutex_lock(&mutex);
    stop = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
