/* The rows that look at a whole heap; a process measures one of them once. */
#define _GNU_SOURCE
#include "micro.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define LIVE 2000000u
#define LIVE_BLOCK 64u

static void *mapped(size_t size) {
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        abort();
    memset(p, 1, size);
    return p;
}

/* A virtual machine may have handed free memory back to its host, and the first
 * touch of it then costs many times a page fault. This fetches it beforehand. */
static void warm_the_host(size_t size) { munmap(mapped(size), size); }

static size_t resident_bytes(void) {
    unsigned long size, resident = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f || fscanf(f, "%lu %lu", &size, &resident) != 2)
        abort();
    fclose(f);
    return resident * (size_t)sysconf(_SC_PAGESIZE);
}

static double fill(void **blocks) {
    double start = busy_ns();
    for (uint32_t i = 0; i < LIVE; i++)
        blocks[i] = take(true, LIVE_BLOCK);
    return (busy_ns() - start) / LIVE;
}

static void shuffle(void **blocks) {
    uint64_t state = 88172645463325252u;
    for (uint32_t i = LIVE - 1; i > 0; i--) {
        uint32_t j = below((uint32_t)next_random(&state), i + 1);
        void *p = blocks[i];
        blocks[i] = blocks[j];
        blocks[j] = p;
    }
}

static double empty(void **blocks) {
    double start = busy_ns();
    for (uint32_t i = 0; i < LIVE; i++)
        free(blocks[i]);
    return (busy_ns() - start) / LIVE;
}

static struct figures live_allocate(int reps) {
    (void)reps;
    warm_the_host(400 * MIB);
    void **blocks = mapped(LIVE * sizeof *blocks);
    return (struct figures){fill(blocks), -1};
}

static struct figures live_free(int reps) {
    (void)reps;
    warm_the_host(400 * MIB);
    void **blocks = mapped(LIVE * sizeof *blocks);
    fill(blocks);
    shuffle(blocks);
    return (struct figures){empty(blocks), -1};
}

static struct figures idle_resident(int reps) {
    (void)reps;
    void **blocks = mapped(LIVE * sizeof *blocks);
    resident_bytes(); /* stdio's own buffers count as before */
    size_t before = resident_bytes();
    fill(blocks);
    shuffle(blocks);
    empty(blocks);
    usleep(2500000);
    size_t after = resident_bytes();
    double kept = after > before ? (double)(after - before) : 0;
    return (struct figures){kept / ((double)LIVE * LIVE_BLOCK), -1};
}

/* Replacing a random block of a heap that no cache holds. The control touches
 * the same blocks in the same order: what remains is the allocator's own share.
 * One block in HOLES is free, anywhere, as in a heap that has lived for a while. */
#define HEAP_BLOCK 1024u
#define HOLES 16
#define HEAP_TURNS 400000u

static struct figures replace(size_t mib, int reps) {
    uint32_t count = (uint32_t)(mib * (MIB / HEAP_BLOCK));
    warm_the_host(mib < 400 ? mib * MIB : 400 * MIB);
    uint32_t all = count + count / HOLES;
    void **blocks = mapped(all * sizeof *blocks);
    for (uint32_t i = 0; i < all; i++)
        blocks[i] = take(true, HEAP_BLOCK);
    uint64_t touching = 0x9e3779b97f4a7c15u, replacing = touching, spreading = 88172645463325252u;
    for (uint32_t i = count; i < all; i++) {
        uint32_t slot = below((uint32_t)next_random(&spreading), count);
        free(blocks[slot]);
        blocks[slot] = blocks[i];
    }
    struct figures best = {1e18, 1e18};
    for (int rep = 0; rep < reps; rep++) {
        double start = busy_ns();
        for (uint32_t i = 0; i < HEAP_TURNS; i++)
            touched(blocks[below((uint32_t)next_random(&touching), count)]);
        double control = (busy_ns() - start) / HEAP_TURNS;
        start = busy_ns();
        for (uint32_t i = 0; i < HEAP_TURNS; i++) {
            uint32_t slot = below((uint32_t)next_random(&replacing), count);
            free(blocks[slot]);
            blocks[slot] = take(true, HEAP_BLOCK);
        }
        double value = (busy_ns() - start) / HEAP_TURNS;
        if (value < best.value)
            best.value = value;
        if (control < best.control)
            best.control = control;
    }
    return best;
}

static struct figures heap_small(int reps) { return replace(64, reps); }

static struct figures heap_large(int reps) {
    const char *mib = getenv("BENCH_HEAP_MIB");
    return replace(mib ? strtoul(mib, NULL, 10) : 8192, reps);
}

const struct heap_row heap_rows[] = {
    {"live-allocate", "2 M live 64 B: allocate", "ns", LIVE_BLOCK, live_allocate},
    {"live-free", "2 M live 64 B: free at random", "ns", LIVE_BLOCK, live_free},
    {"idle-rss", "RSS after they are freed, idle 2.5 s", "of live", LIVE_BLOCK, idle_resident},
    {"heap-64m", "replace in a heap of 64 MiB", "ns", HEAP_BLOCK, heap_small},
    {"heap-large", "replace in a large heap", "ns", HEAP_BLOCK, heap_large},
    {NULL, NULL, NULL, 0, NULL},
};
