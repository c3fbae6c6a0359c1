/* What the rows of the micro benchmark share. */
#ifndef MICRO_H
#define MICRO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#define INLINE static inline __attribute__((always_inline))
#define MIB ((size_t)1 << 20)

/* none.c */
void *none_malloc(size_t size);
void *none_calloc(size_t count, size_t size);
void *none_realloc(void *p, size_t size);
void none_free(void *p);

/* Every row exists twice from one source: with `real` false it runs the same
 * loop with calls that do nothing. That is the cost of the loop. */
INLINE void *touched(void *p) {
    *(volatile char *)p = 1;
    return p;
}

INLINE void *take(bool real, size_t size) { return touched(real ? malloc(size) : none_malloc(size)); }

INLINE void give(bool real, void *p) { real ? free(p) : none_free(p); }

INLINE uint64_t next_random(uint64_t *state) { /* xorshift64 */
    uint64_t x = *state;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return *state = x;
}

INLINE uint32_t below(uint32_t random, uint32_t bound) {
    return (uint32_t)(((uint64_t)random * bound) >> 32);
}

static inline double clock_ns(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static inline double now_ns(void) { return clock_ns(CLOCK_MONOTONIC); }

/* For what is measured once and lasts longer than a time slice: page faults
 * count, the turns of other processes do not. */
static inline double busy_ns(void) { return clock_ns(CLOCK_THREAD_CPUTIME_ID); }

/* A row that is a loop: `real` and `loop` run n turns, each of `operations`. */
struct loop_row {
    const char *name, *title;
    size_t block;      /* the size that the proof of service asks for */
    double operations; /* what one turn counts as */
    void (*real)(uint64_t n);
    void (*loop)(uint64_t n);
};

/* A row that measures a whole heap once in a process. */
struct figures {
    double value;
    double control; /* the same touches without malloc and free; < 0: none */
};

struct heap_row {
    const char *name, *title, *unit;
    size_t block;
    struct figures (*measure)(int reps);
};

extern const struct loop_row loop_rows[];
extern const struct heap_row heap_rows[];

#endif
