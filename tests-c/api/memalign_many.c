/*
 * An aligned block costs no more where there are many such blocks already, in use and free.
 */
#include "../lib/test.h"

enum { CALLS = 2000, MANY = 100000 };

static double cost(void)
{
    static void *blocks[CALLS];
    double least = 1e9;
    for (size_t turn = 0; turn < 60; turn++) {
        struct timespec from, to;
        clock_gettime(CLOCK_MONOTONIC, &from);
        for (size_t i = 0; i < CALLS; i++)
            CHECK(posix_memalign(&blocks[i], (size_t)64 << i % 7, 100 + i % 1000) == 0);
        clock_gettime(CLOCK_MONOTONIC, &to);
        for (size_t i = 0; i < CALLS; i++)
            free(blocks[i]);
        double took = 1e9 * (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec);
        least = took < least ? took : least;
    }
    return least / CALLS;
}

int main(void)
{
    static void *many[MANY];
    double few = cost();
    for (size_t i = 0; i < MANY; i++)
        CHECK(posix_memalign(&many[i], (size_t)64 << i % 7, 100 + i % 1000) == 0);
    for (size_t i = 0; i < MANY; i += 2)
        free(many[i]);
    double then = cost();
    for (size_t i = 1; i < MANY; i += 2)
        free(many[i]);
    printf("%.0f ns a block, %.0f among %d\n", few, then, (int)MANY);
    if (then > 10 * few + 1000)
        FAIL("%.0f ns a block, %.0f among %d", few, then, (int)MANY);
    return 0;
}
