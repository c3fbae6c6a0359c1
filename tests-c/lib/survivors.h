/*
 * A peak of small blocks of which some survive, and what the OS pages amount to that hold
 * a byte of theirs.
 */
#ifndef SURVIVORS_H
#define SURVIVORS_H
#include "trim.h"

struct survivors {
    unsigned char **blocks;
    size_t count, least, most;
    size_t start, peak;
};

static int order(const void *a, const void *b)
{
    uintptr_t x = *(const uintptr_t *)a, y = *(const uintptr_t *)b;
    return x < y ? -1 : x > y;
}

/* A size for block number `i`: the same one whenever it is asked. */
static size_t survivor_size(const struct survivors *s, size_t i)
{
    return s->least + (size_t)(pattern(7, i) >> 20) % (s->most - s->least + 1);
}

static struct survivors survivors_build(size_t count, size_t least, size_t most)
{
    struct survivors s = {own_memory(count * sizeof *s.blocks), count, least, most, 0, 0};
    memset(s.blocks, 1, count * sizeof *s.blocks);
    s.start = resident();
    for (size_t i = 0; i < count; i++) {
        size_t size = survivor_size(&s, i);
        CHECK(s.blocks[i] = malloc(size));
        memset(s.blocks[i], (int)i, size);
    }
    s.peak = resident();
    return s;
}

/* Frees block number `i`, unless it is one of those of which each `of`-th stays. */
static inline void survivors_free_one(struct survivors *s, size_t of, size_t i)
{
    if (s->blocks[i] && (pattern(99, i) >> 20) % of) {
        free(s->blocks[i]);
        s->blocks[i] = NULL;
    }
}

/* Frees all but one in `of`, at random, in the order in which they were made. */
static inline void survivors_free(struct survivors *s, size_t of)
{
    for (size_t i = 0; i < s->count; i++)
        survivors_free_one(s, of, i);
}

/* The same in no order. The step is prime, so that it comes by all blocks of any smaller count. */
static inline void survivors_free_at_random(struct survivors *s, size_t of)
{
    enum { STEP = 15485863 };
    for (size_t i = 0; i < s->count; i++)
        survivors_free_one(s, of, i * STEP % s->count);
}

static void survivors_check(const struct survivors *s)
{
    for (size_t i = 0; i < s->count; i++) {
        size_t size = survivor_size(s, i);
        if (s->blocks[i])
            CHECK(s->blocks[i][0] == (unsigned char)i && s->blocks[i][size - 1] == (unsigned char)i);
    }
}

/* Bytes in OS pages that hold a byte of a survivor. */
static size_t survivors_need(const struct survivors *s)
{
    size_t os_page = (size_t)sysconf(_SC_PAGESIZE), found = 0, need = 0;
    uintptr_t *pages = own_memory(2 * s->count * sizeof *pages), last = 0;
    for (size_t i = 0; i < s->count; i++)
        if (s->blocks[i]) {
            uintptr_t at = (uintptr_t)s->blocks[i];
            pages[found++] = at / os_page;
            pages[found++] = (at + survivor_size(s, i) - 1) / os_page;
        }
    qsort(pages, found, sizeof *pages, order);
    for (size_t i = 0; i < found; i++) {
        need += pages[i] != last ? os_page : 0;
        last = pages[i];
    }
    munmap(pages, 2 * s->count * sizeof *pages);
    return need;
}

/* Says how much more than at the start is resident, and what the survivors need: `need` gets that. */
static size_t survivors_say(const struct survivors *s, const char *when, size_t *need)
{
    size_t now = resident();
    *need = survivors_need(s);
    printf("%s: resident %zu KiB, needed %zu KiB, at the peak %zu KiB\n", when,
           (now - s->start) / KIB, *need / KIB, (s->peak - s->start) / KIB);
    return now - s->start;
}

/* No more may be resident than what the survivors need, a share of it in per cent, and a little. */
static void survivors_fit(const struct survivors *s, size_t percent, size_t more)
{
    size_t need, now = survivors_say(s, "at the end", &need);
    size_t allowed = need + need * percent / 100 + more;
    if (now > allowed)
        FAIL("resident %zu KiB, allowed %zu KiB", now / KIB, allowed / KIB);
}

#endif
