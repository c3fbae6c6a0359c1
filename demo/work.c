/* Server-like work for a machine where no server can be installed: a store of values of many sizes,
 * changed at random under bursts of requests, then emptied. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SLOTS = 300000, REQUESTS = 4000000, PARTS = 8 };

static char *slots[SLOTS];
static unsigned long long state = 88172645463325252ULL;

static unsigned long next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned long)(state >> 16);
}

static double now(clockid_t clock)
{
    struct timespec at;
    clock_gettime(clock, &at);
    return (double)at.tv_sec + (double)at.tv_nsec / 1e9;
}

static long memory(const char *name)
{
    char line[256];
    long found = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        if (strncmp(line, name, strlen(name)) == 0)
            sscanf(line + strlen(name), ": %ld", &found);
    if (status)
        fclose(status);
    return found;
}

static char *touched(size_t size)
{
    char *block = malloc(size);
    if (!block)
        exit(1);
    memset(block, (int)size, size);
    return block;
}

int main(void)
{
    double start = now(CLOCK_MONOTONIC);
    for (int i = 0; i < REQUESTS; i++) {
        char *parts[PARTS];
        size_t slot = next() % SLOTS;
        if (i % 4 == 0) {
            for (int j = 0; j < PARTS; j++)
                parts[j] = touched(16 + next() % 240);
            for (int j = 0; j < PARTS; j++)
                free(parts[j]);
        }
        free(slots[slot]);
        slots[slot] = touched(16 + next() % (next() % 64 == 0 ? 8000 : 500));
    }
    double took = now(CLOCK_MONOTONIC) - start;
    double cpu = now(CLOCK_PROCESS_CPUTIME_ID);
    for (int i = 0; i < SLOTS; i++)
        free(slots[i]);
    sleep(1);
    printf("time %.3f\ncpu %.3f\npeak %ld\nafter %ld\n", took, cpu, memory("VmHWM"), memory("VmRSS"));
    return 0;
}
