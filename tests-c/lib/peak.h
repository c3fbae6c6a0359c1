/*
 * A peak of which all is freed must not stay resident: at most 5 % of it and
 * 4 MiB more than the process had at its start, with no call in between.
 */
#ifndef PEAK_H
#define PEAK_H
#include "test.h"

#define PEAK_BYTES (500 * MIB)

static void shuffle(void **blocks, size_t count)
{
    uint64_t random = 88172645463325252u;
    for (size_t i = count - 1; i > 0; i--) {
        size_t other = random_next(&random) % (i + 1);
        void *block = blocks[i];
        blocks[i] = blocks[other];
        blocks[other] = block;
    }
}

/* Blocks of low..high bytes up to PEAK_BYTES, freed in order or shuffled. */
static void peak(size_t low, size_t high, int shuffled)
{
    uint64_t random = 2463534242u;
    size_t most = PEAK_BYTES / low + 1, count = 0, bytes = 0;
    void **blocks = (void **)own_memory(most * sizeof *blocks);
    free(malloc(low));
    size_t start = resident();
    while (bytes < PEAK_BYTES) {
        size_t size = low + random_next(&random) % (high - low + 1);
        char *block = (char *)malloc(size);
        CHECK(block);
        memset(block, 1, size);
        blocks[count++] = block;
        bytes += size;
    }
    size_t top = resident();
    if (shuffled)
        shuffle(blocks, count);
    for (size_t i = 0; i < count; i++)
        free(blocks[i]);
    munmap(blocks, most * sizeof *blocks);
    sleep_ms(50);
    size_t end = resident(), allowed = start + (top - start) / 20 + 4 * MIB;
    if (end > allowed)
        FAIL("start %zu KiB, peak %zu KiB, idle %zu KiB, allowed %zu KiB",
             start / KIB, top / KIB, end / KIB, allowed / KIB);
}

#endif
