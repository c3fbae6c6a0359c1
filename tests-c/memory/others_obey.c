/*
 * A trim takes over what others freed into a sleeping thread's pages, and has other threads trim theirs
 * as soon as they allocate.
 * only: lohalloc
 */
#include "../lib/trim.h"

enum { BLOCKS = 200000, SIZE = 250 };
static char *blocks[BLOCKS];
static pthread_barrier_t step;

static void *owner(void *argument)
{
    for (size_t i = 0; i < BLOCKS; i++) {
        CHECK(blocks[i] = malloc(SIZE));
        memset(blocks[i], (int)i, SIZE);
    }
    pthread_barrier_wait(&step);
    pthread_barrier_wait(&step);
    /* Awake again: one look for a page of each size. */
    for (size_t size = 16; size < 2000; size += 16)
        free(malloc(size));
    pthread_barrier_wait(&step);
    pthread_barrier_wait(&step);
    return argument;
}

int main(void)
{
    pthread_t thread;
    memset(blocks, 1, sizeof blocks);
    size_t start = resident();
    pthread_barrier_init(&step, NULL, 2);
    CHECK(pthread_create(&thread, NULL, owner, NULL) == 0);
    pthread_barrier_wait(&step);
    size_t peak = resident();
    /* One in 512 stays, so that hardly a page of its is empty. */
    for (size_t i = 0; i < BLOCKS; i++)
        if (i % 512)
            free(blocks[i]);
    trim();
    size_t asleep = resident();
    if (asleep > start + (peak - start) / 5)
        FAIL("start %zu KiB, peak %zu KiB, trimmed %zu KiB", start / KIB, peak / KIB, asleep / KIB);
    pthread_barrier_wait(&step);
    pthread_barrier_wait(&step);
    size_t awake = resident();
    if (awake > start + 4 * MIB)
        FAIL("start %zu KiB, peak %zu KiB, asleep %zu KiB, awake %zu KiB", start / KIB, peak / KIB,
             asleep / KIB, awake / KIB);
    for (size_t i = 0; i < BLOCKS; i += 512)
        CHECK(blocks[i][0] == (char)i && blocks[i][SIZE - 1] == (char)i);
    pthread_barrier_wait(&step);
    pthread_join(thread, NULL);
    return 0;
}
