/*
 * A thousand threads allocate at once in 400 MiB of addresses, of which their stacks take 64.
 * only: lohalloc
 */
#include "../lib/exhaust.h"

#define BLOCKS 20

static pthread_barrier_t barrier;

static size_t size_of(size_t me, size_t i)
{
    return i % 2 ? 300 : me % 900 + 400;
}

static void *body(void *argument)
{
    size_t me = (size_t)argument;
    char *blocks[BLOCKS];
    for (size_t i = 0; i < BLOCKS; i++) {
        size_t size = size_of(me, i);
        blocks[i] = malloc(size);
        CHECK(blocks[i]);
        fill(blocks[i], size, me + i);
    }
    pthread_barrier_wait(&barrier);
    for (size_t i = 0; i < BLOCKS; i++) {
        CHECK(filled(blocks[i], size_of(me, i), me + i));
        free(blocks[i]);
    }
    return NULL;
}

int main(int count, char **arguments)
{
    static pthread_t threads[1000];
    pthread_attr_t attributes;
    if (count == 1)
        restart_with(RLIMIT_AS, 400 * MIB, arguments);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 64 * KIB);
    for (int turn = 0; turn < 2; turn++) {
        pthread_barrier_init(&barrier, NULL, 1000);
        for (size_t i = 0; i < 1000; i++) {
            int error = pthread_create(&threads[i], &attributes, body, (void *)i);
            if (error)
                FAIL("thread %zu: error %d", i, error);
        }
        for (size_t i = 0; i < 1000; i++)
            pthread_join(threads[i], NULL);
        pthread_barrier_destroy(&barrier);
    }
    void *block = malloc(100 * MIB);
    CHECK(block);
    free(block);
    return 0;
}
