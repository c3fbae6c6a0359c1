/*
 * Big blocks of ever new sizes that come and go use the memory again that was freed before.
 * only: lohalloc
 */
#include "../lib/test.h"
#include <sys/resource.h>

enum { LIVE = 3, TURNS = 400 };

static size_t faults(void)
{
    struct rusage usage;
    CHECK(getrusage(RUSAGE_SELF, &usage) == 0);
    return (size_t)usage.ru_minflt;
}

static char mark(const char *block, size_t at)
{
    return (char)((uintptr_t)block / 4096 + at / 4096);
}

int main(void)
{
    char *live[LIVE] = {0};
    size_t sizes[LIVE] = {0};
    size_t page = (size_t)sysconf(_SC_PAGESIZE), start = resident(), most = 0, touched = 0;
    uint64_t random = 88172645463325252u;
    size_t before = faults();
    for (size_t turn = 0; turn < TURNS; turn++) {
        size_t i = turn % LIVE;
        for (size_t at = 0; at < sizes[i]; at += page)
            CHECK(live[i][at] == mark(live[i], at));
        free(live[i]);
        sizes[i] = 10 * MIB + random_next(&random) % (30 * MIB);
        CHECK(live[i] = malloc(sizes[i]));
        for (size_t at = 0; at < sizes[i]; at += page, touched++)
            live[i][at] = mark(live[i], at);
        size_t now = resident() - start;
        most = now > most ? now : most;
    }
    size_t share = 100 * (faults() - before) / touched;
    printf("%zu %% of what was touched was new, at most %zu MiB resident\n", share, most / MIB);
    if (share > 50)
        FAIL("%zu %% of %zu OS pages were new", share, touched);
    if (most > 170 * MIB)
        FAIL("%zu MiB resident for at most 120", most / MIB);
    for (size_t i = 0; i < LIVE; i++)
        free(live[i]);
    malloc_trim(0);
    if (resident() > start + 4 * MIB)
        FAIL("%zu MiB resident, all freed and trimmed", (resident() - start) / MIB);
    return 0;
}
