/*
 * A thread that only frees what others allocate does not make memory grow.
 * force: arena
 */
#include "../lib/test.h"

enum { BATCH = 2000, BATCHES = 1500 };
static void **hand;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *freer(void *argument)
{
    for (int batch = 0; batch < BATCHES; batch++) {
        pthread_mutex_lock(&mutex);
        while (!hand)
            pthread_cond_wait(&changed, &mutex);
        for (int i = 0; i < BATCH; i++)
            free(hand[i]);
        hand = NULL;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&mutex);
    }
    return argument;
}

int main(void)
{
    static void *blocks[BATCH];
    pthread_t thread;
    size_t start = 0;
    CHECK(pthread_create(&thread, NULL, freer, NULL) == 0);
    for (int batch = 0; batch < BATCHES; batch++) {
        pthread_mutex_lock(&mutex);
        while (hand)
            pthread_cond_wait(&changed, &mutex);
        for (size_t i = 0; i < BATCH; i++) {
            size_t size = 20 + (i + (size_t)batch) % 40 * 30;
            CHECK(blocks[i] = malloc(size));
            memset(blocks[i], 1, size);
        }
        hand = blocks;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&mutex);
        if (batch == 150)
            start = resident();
    }
    pthread_join(thread, NULL);
    if (resident() > start + 8 * MIB)
        FAIL("resident %zu KiB at first, %zu KiB at the end", start / KIB, resident() / KIB);
    return 0;
}
