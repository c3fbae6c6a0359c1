/*
 * Does memory go back after bursts of which a few blocks stay?
 *
 * A server with bursts: requests of 16 to 511 bytes from four functions, two of which allocate
 * through a third, freed in no order at the burst's end; 1 request in 800 puts two blocks from
 * functions of their own into a table of sessions, in place of older ones. After each burst the
 * server is idle. Prints what is resident after the last burst, after all but the first in the
 * mean, and at the peak, in KiB, and the CPU time in milliseconds.
 *
 *   bursts SEED [BURSTS [REQUESTS [IDLE_MS]]]
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SESSIONS = 4000 };

static uint64_t state;
static void *sessions[SESSIONS][2];

static unsigned number(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33);
}

static size_t some_size(void)
{
    return 16 + number() % 496;
}

static long resident_kib(void)
{
    long size, pages;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld %ld", &size, &pages) != 2)
        exit(1);
    fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

#define CALLER __attribute__((noinline)) static void *

/* Most programs have such a function. */
CALLER checked(size_t size)
{
    void *block = malloc(size);
    if (!block)
        abort();
    memset(block, 1, size);
    return block;
}

CALLER header(size_t size)
{
    void *block = malloc(size);
    return block ? memset(block, 2, size) : NULL;
}

CALLER node(size_t size)
{
    void *block = malloc(size);
    return block ? memset(block, 3, size) : NULL;
}

CALLER body(size_t size)
{
    char *block = checked(size);
    block[0] = 4;
    return block;
}

CALLER scratch(size_t size)
{
    char *block = checked(size);
    block[0] = 5;
    return block;
}

CALLER session(size_t size)
{
    void *block = malloc(size);
    return block ? memset(block, 6, size) : NULL;
}

CALLER session_name(size_t size)
{
    char *block = checked(size);
    block[0] = 7;
    return block;
}

static void *request(void)
{
    switch (number() % 4) {
    case 0: return header(some_size());
    case 1: return node(some_size());
    case 2: return body(some_size());
    default: return scratch(some_size());
    }
}

int main(int count, char **arguments)
{
    state = count > 1 ? strtoull(arguments[1], NULL, 10) : 1;
    int bursts = count > 2 ? atoi(arguments[2]) : 8;
    int requests = count > 3 ? atoi(arguments[3]) : 300000;
    long idle = count > 4 ? atol(arguments[4]) : 600;
    void **live = calloc((size_t)requests, sizeof *live);
    long peak = 0, end = 0;
    double sum = 0;
    if (!live || bursts < 2)
        return 1;
    for (int burst = 0; burst < bursts; burst++) {
        for (int i = 0; i < requests; i++) {
            live[i] = request();
            if (number() % 800 == 0) {
                void **slot = sessions[number() % SESSIONS];
                free(slot[0]);
                free(slot[1]);
                slot[0] = session(some_size());
                slot[1] = session_name(some_size());
            }
        }
        end = resident_kib();
        peak = end > peak ? end : peak;
        for (int i = requests - 1; i > 0; i--) {
            int other = (int)(number() % (unsigned)(i + 1));
            void *block = live[i];
            live[i] = live[other];
            live[other] = block;
        }
        for (int i = 0; i < requests; i++)
            free(live[i]);
        struct timespec time = {idle / 1000, idle % 1000 * 1000000};
        nanosleep(&time, NULL);
        end = resident_kib();
        sum += burst ? (double)end : 0;
    }
    printf("%ld %.0f %ld %.0f\n", end, sum / (bursts - 1), peak, clock() * 1e3 / CLOCKS_PER_SEC);
    return 0;
}
