/*
 * Memory whose owner sleeps while others free it falls back to the system or serves the others.
 * only: lohalloc
 * force: arena
 */
#include "../lib/test.h"

static size_t count, size;
static void **blocks;
static int filled_up, stop;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *owner(void *argument)
{
    for (size_t i = 0; i < count; i++) {
        CHECK(blocks[i] = malloc(size));
        memset(blocks[i], 1, size);
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
    for (size_t i = (size_t)argument; i < count; i += 3)
        free(blocks[i]);
    return NULL;
}

static void *user(void *argument)
{
    for (size_t i = (size_t)argument; i < count; i += 3) {
        CHECK(blocks[i] = malloc(size));
        memset(blocks[i], 2, size);
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

static void asleep(size_t blocks_in_all, size_t bytes)
{
    pthread_t thread;
    count = blocks_in_all;
    size = bytes;
    filled_up = stop = 0;
    blocks = own_memory(count * sizeof *blocks);
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
    size_t top = resident();
    printf("%zu bytes: peak %zu MiB, then idle %zu MiB, then %zu MiB with as many blocks again\n", size,
           peak / MIB, idle / MIB, top / MIB);
    if (idle > start + (peak - start) / 8 || top > start + (peak - start) / 8 * 9)
        FAIL("%zu bytes: peak %zu MiB, then idle %zu MiB, then %zu MiB with as many blocks again", size,
             peak / MIB, idle / MIB, top / MIB);
    three(freer);
    pthread_mutex_lock(&mutex);
    stop = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    munmap(blocks, count * sizeof *blocks);
}

/* In a process of its own: what recurs may be kept. */
static void asleep_alone(size_t blocks_in_all, size_t bytes)
{
    pid_t child = fork();
    if (child == 0) {
        asleep(blocks_in_all, bytes);
        exit(0);
    }
    check_child(child);
}

int main(void)
{
    asleep_alone(1000000, 270);
    /* Of these few lie on a page. */
    asleep_alone(60000, 4000);
    return 0;
}
