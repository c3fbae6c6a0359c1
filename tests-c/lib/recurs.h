/*
 * Blocks that come and go at random sizes: how much of their memory is new, and how much is
 * resident at most. Each block is told by a mark on each of its OS pages.
 */
#ifndef RECURS_H
#define RECURS_H
#include "test.h"
#include <sys/resource.h>

struct recurs {
    size_t slots, turns, low, high;
    /* Bounds: new OS pages, of a hundred touched, and resident bytes. */
    size_t share, most;
};

static size_t recurs_faults(void)
{
    struct rusage usage;
    CHECK(getrusage(RUSAGE_SELF, &usage) == 0);
    return (size_t)usage.ru_minflt;
}

static char recurs_mark(const char *block, size_t at)
{
    return (char)((uintptr_t)block / 4096 + at / 4096);
}

static void recurs(struct recurs r)
{
    char *live[256] = {0};
    size_t sizes[256] = {0};
    size_t page = (size_t)sysconf(_SC_PAGESIZE), start = resident(), most = 0, touched = 0;
    uint64_t random = 88172645463325252u;
    size_t before = recurs_faults();
    CHECK(r.slots <= COUNT(live));
    for (size_t turn = 0; turn < r.turns; turn++) {
        size_t i = random_next(&random) % r.slots;
        for (size_t at = 0; at < sizes[i]; at += page)
            CHECK(live[i][at] == recurs_mark(live[i], at));
        free(live[i]);
        sizes[i] = r.low + random_next(&random) % (r.high - r.low);
        CHECK(live[i] = malloc(sizes[i]));
        for (size_t at = 0; at < sizes[i]; at += page, touched++)
            live[i][at] = recurs_mark(live[i], at);
        if (turn % 16 == 0) {
            size_t now = resident() - start;
            most = now > most ? now : most;
        }
    }
    size_t share = 100 * (recurs_faults() - before) / touched;
    printf("%zu %% of what was touched was new, at most %zu MiB resident\n", share, most / MIB);
    if (share > r.share)
        FAIL("%zu %% of %zu OS pages were new", share, touched);
    if (most > r.most)
        FAIL("%zu MiB resident", most / MIB);
    for (size_t i = 0; i < r.slots; i++)
        free(live[i]);
    malloc_trim(0);
    if (resident() > start + 4 * MIB)
        FAIL("%zu MiB resident, all freed and trimmed", (resident() - start) / MIB);
}

#endif
