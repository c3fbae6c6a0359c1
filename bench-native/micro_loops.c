/* The rows that are short loops; a process runs one of them many times. */
#include "micro.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#define BOTH(name, call_real, call_loop)                                                           \
    static void name##_real(uint64_t n) { call_real; }                                             \
    static void name##_loop(uint64_t n) { call_loop; }

INLINE void pair(bool real, size_t size, uint64_t n) {
    for (uint64_t i = 0; i < n; i++)
        give(real, take(real, size));
}
BOTH(pair_64, pair(true, 64, n), pair(false, 64, n))
BOTH(pair_1k, pair(true, 1 << 10, n), pair(false, 1 << 10, n))
BOTH(pair_32k, pair(true, 32 << 10, n), pair(false, 32 << 10, n))
BOTH(pair_256k, pair(true, 256 << 10, n), pair(false, 256 << 10, n))
BOTH(pair_2m, pair(true, 2 * MIB, n), pair(false, 2 * MIB, n))

INLINE void calloc_pair(bool real, uint64_t n) {
    for (uint64_t i = 0; i < n; i++)
        give(real, touched(real ? calloc(1, 64) : none_calloc(1, 64)));
}
BOTH(calloc_64, calloc_pair(true, n), calloc_pair(false, n))

/* The new block is taken before the oldest is given back, as a queue does. The
 * other way round, 64 blocks of 64 bytes are exactly the OS page that mimalloc
 * carves at a time, and every turn would take its slow path. */
#define WINDOW 64

INLINE void fifo(bool real, uint64_t n) {
    static void *ring[WINDOW];
    if (!ring[0])
        for (int i = 0; i < WINDOW; i++)
            ring[i] = take(real, 64);
    for (uint64_t i = 0; i < n; i++) {
        void *oldest = ring[i % WINDOW];
        ring[i % WINDOW] = take(real, 64);
        give(real, oldest);
    }
}
BOTH(fifo_64, fifo(true, n), fifo(false, n))

#define SLOTS 10000

INLINE void random_sizes(bool real, uint64_t n) {
    static void *slots[SLOTS];
    static uint64_t state = 88172645463325252u;
    if (!slots[0])
        for (int i = 0; i < SLOTS; i++)
            slots[i] = take(real, 8 + below((uint32_t)next_random(&state), 1017));
    uint64_t s = state;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t r = next_random(&s);
        uint32_t slot = below((uint32_t)r, SLOTS), size = 8 + below((uint32_t)(r >> 32), 1017);
        give(real, slots[slot]);
        slots[slot] = take(real, size);
    }
    state = s;
}
BOTH(random_sizes, random_sizes(true, n), random_sizes(false, n))

#define BURST 256

/* Freed in the order of allocation, as a list or a vector of objects is. */
INLINE void burst(bool real, size_t size, uint64_t n) {
    static void *blocks[BURST];
    for (uint64_t i = 0; i < n; i++) {
        for (int j = 0; j < BURST; j++)
            blocks[j] = take(real, size);
        for (int j = 0; j < BURST; j++)
            give(real, blocks[j]);
    }
}
BOTH(burst_64, burst(true, 64, n), burst(false, 64, n))
BOTH(burst_512, burst(true, 512, n), burst(false, 512, n))

/* One thread allocates, the other frees; a bounded ring lies between. Each side
 * publishes its index once in BATCH blocks and looks at the other's only when its
 * copy says full or empty, so that the figure is not that of one cache line. */
#define RING 1024
#define BATCH 32

static struct {
    _Alignas(128) _Atomic uint64_t written;
    _Alignas(128) _Atomic uint64_t read;
    _Alignas(128) void *slots[RING];
} ring;

INLINE void wait_for(int *turns) {
    if (++*turns % 256 == 0)
        sched_yield();
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

INLINE void consume(bool real) {
    int turns = 0;
    for (uint64_t at = 0, end = 0;; at++) {
        while (at == end) {
            end = atomic_load_explicit(&ring.written, memory_order_acquire);
            if (at == end)
                wait_for(&turns);
        }
        void *p = ring.slots[at % RING];
        ++*(volatile char *)p;
        give(real, p);
        if ((at + 1) % BATCH == 0)
            atomic_store_explicit(&ring.read, at + 1, memory_order_release);
    }
}

static void *consume_real(void *unused) {
    consume(true);
    return unused;
}

static void *consume_loop(void *unused) {
    consume(false);
    return unused;
}

INLINE void produce(bool real, uint64_t n) {
    static uint64_t at, read;
    static bool started;
    if (!started) {
        pthread_t consumer;
        started = pthread_create(&consumer, NULL, real ? consume_real : consume_loop, NULL) == 0;
        if (!started)
            abort();
    }
    int turns = 0;
    n = (n + BATCH - 1) / BATCH * BATCH; /* all of it must become visible */
    for (uint64_t stop = at + n; at < stop; at++) {
        char *p = real ? malloc(64) : (char *)none_malloc(64) + at % RING * 64; /* a line each */
        touched(p);
        while (at - read == RING) {
            read = atomic_load_explicit(&ring.read, memory_order_acquire);
            if (at - read == RING)
                wait_for(&turns);
        }
        ring.slots[at % RING] = p;
        if ((at + 1) % BATCH == 0)
            atomic_store_explicit(&ring.written, at + 1, memory_order_release);
    }
    while (atomic_load_explicit(&ring.read, memory_order_acquire) != at)
        wait_for(&turns);
}
BOTH(produce, produce(true, n), produce(false, n))

/* A growing buffer is written at its end, so its last byte is touched, too. */
INLINE char *grown(bool real, char *p, size_t size) {
    p = touched(real ? realloc(p, size) : none_realloc(p, size));
    touched(p + size - 1);
    return p;
}

INLINE void realloc_doubling(bool real, uint64_t n) {
    for (uint64_t i = 0; i < n; i++) {
        char *p = take(real, 64);
        for (size_t size = 128; size <= MIB; size *= 2)
            p = grown(real, p, size);
        give(real, p);
    }
}
BOTH(realloc_doubling, realloc_doubling(true, n), realloc_doubling(false, n))

INLINE void realloc_steps(bool real, uint64_t n) {
    for (uint64_t i = 0; i < n; i++) {
        char *p = take(real, 4096);
        for (size_t size = 8192; size <= MIB; size += 4096)
            p = grown(real, p, size);
        give(real, p);
    }
}
BOTH(realloc_steps, realloc_steps(true, n), realloc_steps(false, n))

/* "loop" never allocates, whatever the arm: it shows what of a figure is loop. */
#define ROW(name, title, block, operations, function)                                              \
    { name, title, block, operations, function##_real, function##_loop }

const struct loop_row loop_rows[] = {
    {"loop", "loop only", 64, 1, pair_64_loop, pair_64_loop},
    ROW("pair-64", "pair 64 B", 64, 1, pair_64),
    ROW("pair-1k", "pair 1 KiB", 1 << 10, 1, pair_1k),
    ROW("pair-32k", "pair 32 KiB", 32 << 10, 1, pair_32k),
    ROW("pair-256k", "pair 256 KiB", 256 << 10, 1, pair_256k),
    ROW("pair-2m", "pair 2 MiB", 2 * MIB, 1, pair_2m),
    ROW("fifo-64", "FIFO ring 64 B", 64, 1, fifo_64),
    ROW("random", "random 8-1024 B, 10,000 slots", 512, 1, random_sizes),
    ROW("burst-64", "burst of 256 x 64 B", 64, BURST, burst_64),
    ROW("burst-512", "burst of 256 x 512 B", 512, BURST, burst_512),
    ROW("produce-64", "producer/consumer 64 B", 64, 1, produce),
    ROW("realloc-double", "realloc doubling to 1 MiB", MIB, 14, realloc_doubling),
    ROW("realloc-4k", "realloc by 4 KiB to 1 MiB", MIB, 255, realloc_steps),
    ROW("calloc-64", "calloc 64 B", 64, 1, calloc_64),
    {NULL, NULL, 0, 0, NULL, NULL},
};
