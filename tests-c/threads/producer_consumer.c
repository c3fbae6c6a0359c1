/*
 * Blocks that one thread allocates and another frees keep their bytes and their memory is used again.
 */
#include "../lib/test.h"

enum { RING = 4096, BLOCKS = 3000000 };
static void *ring[RING];

static size_t size_of(size_t i)
{
    return i % 97 == 0 ? 5000 + i % 60000 : 16 + i * 7 % 500;
}

static void *consumer(void *argument)
{
    for (size_t i = 0; i < BLOCKS; i++) {
        void **slot = &ring[i % RING];
        unsigned char *block;
        while (!(block = __atomic_load_n(slot, __ATOMIC_ACQUIRE)))
            sched_yield();
        size_t size = size_of(i);
        CHECK(block[0] == (unsigned char)i && block[size - 1] == (unsigned char)i);
        free(block);
        __atomic_store_n(slot, NULL, __ATOMIC_RELEASE);
    }
    return argument;
}

int main(void)
{
    pthread_t thread;
    size_t start = 0;
    CHECK(pthread_create(&thread, NULL, consumer, NULL) == 0);
    for (size_t i = 0; i < BLOCKS; i++) {
        void **slot = &ring[i % RING];
        size_t size = size_of(i);
        unsigned char *block = malloc(size);
        CHECK(block);
        memset(block, (int)i, size);
        while (__atomic_load_n(slot, __ATOMIC_ACQUIRE))
            sched_yield();
        __atomic_store_n(slot, block, __ATOMIC_RELEASE);
        if (i == BLOCKS / 10)
            start = resident();
    }
    pthread_join(thread, NULL);
    if (resident() > start + 24 * MIB)
        FAIL("resident %zu KiB after a tenth, %zu KiB at the end", start / KIB, resident() / KIB);
    return 0;
}
