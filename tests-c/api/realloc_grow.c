/*
 * Two huge blocks that grow a little a thousand times, in turns, are never copied.
 */
#include "../lib/test.h"
#include <sys/resource.h>

enum { TURNS = 1000 };
#define START (64 * MIB)
#define STEP (64 * KIB)

/* What is written to for the first time: each OS page once, and all of a copy again. */
static size_t faults(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (size_t)usage.ru_minflt;
}

int main(void)
{
    char *blocks[2];
    for (int i = 0; i < 2; i++) {
        CHECK(blocks[i] = malloc(START));
        fill(blocks[i], START, (uint64_t)i);
    }
    size_t start = faults(), held = resident();
    for (size_t turn = 0; turn < TURNS; turn++)
        for (int i = 0; i < 2; i++) {
            size_t size = START + turn * STEP;
            CHECK(blocks[i] = realloc(blocks[i], size + STEP));
            memset(blocks[i] + size, i + 1, STEP);
        }
    size_t written = 2 * TURNS * STEP, seen = faults() - start;
    if (seen > (written + START / 2) / (size_t)getpagesize())
        FAIL("%zu faults", seen);
    if (status_bytes("VmHWM:") > held + written + START / 2)
        FAIL("%zu MiB at the peak", status_bytes("VmHWM:") / MIB);
    for (int i = 0; i < 2; i++) {
        CHECK(filled_part(blocks[i], START, START, (uint64_t)i));
        for (size_t at = START; at < START + TURNS * STEP; at += STEP / 2)
            CHECK(blocks[i][at] == i + 1);
        free(blocks[i]);
    }
    return 0;
}
