/*
 * mallinfo2 tells of all threads: blocks that one made and another freed are not in use, while both live on.
 * force: arena
 */
#include "../lib/heap.h"

enum { BLOCKS = 100000 };
static void **blocks;
static size_t count, usable;
static pthread_barrier_t barrier;

static void *makes(void *argument)
{
    count = heap_fill(blocks, BLOCKS, 50 * MIB, &usable);
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    return argument;
}

static void *frees(void *argument)
{
    pthread_barrier_wait(&barrier);
    for (size_t i = 0; i < count; i++)
        free(blocks[i]);
    pthread_barrier_wait(&barrier);
    return argument;
}

int main(void)
{
    pthread_t maker, freer;
    blocks = own_memory(BLOCKS * sizeof *blocks);
    free(malloc(1));
    size_t start = heap_used();
    CHECK(pthread_barrier_init(&barrier, NULL, 2) == 0);
    CHECK(pthread_create(&maker, NULL, makes, NULL) == 0);
    /* Wait until the maker has made all, without a word from it. */
    size_t full = start;
    for (int i = 0; i < 5000 && full < start + 50 * MIB; i++) {
        full = heap_used();
        sleep_ms(1);
    }
    CHECK(full >= start + 50 * MIB);
    CHECK(pthread_create(&freer, NULL, frees, NULL) == 0);
    size_t end = full;
    for (int i = 0; i < 5000 && end > start + MIB; i++) {
        end = heap_used();
        sleep_ms(1);
    }
    if (end > start + MIB)
        FAIL("%zu of %zu bytes left", end - start, usable);
    pthread_join(maker, NULL);
    pthread_join(freer, NULL);
    return 0;
}
