/*
 * Random allocation and freeing with every byte checked: the work that the
 * tests of threads, forks and forced routes repeat.
 */
#ifndef CHURN_H
#define CHURN_H
#include "test.h"

struct slot {
    char *block;
    size_t size;
    uint64_t seed;
};

static void slot_check(const struct slot *slot)
{
    if (!filled(slot->block, slot->size, slot->seed))
        FAIL("block of %zu bytes lost its bytes", slot->size);
}

__attribute__((unused)) static void slot_free(struct slot *slot)
{
    if (!slot->block)
        return;
    slot_check(slot);
    free(slot->block);
    slot->block = NULL;
}

__attribute__((unused))
static void slot_new(struct slot *slot, size_t limit, uint64_t *random)
{
    size_t size = random_size(random, limit);
    uint64_t how = random_next(random) >> 11;
    slot->seed = how;
    slot->size = size;
    if (how % 8 == 0) {
        slot->block = (char *)calloc(1, size);
        CHECK(slot->block && all_zero(slot->block, size));
    } else if (how % 8 == 1) {
        size_t alignment = (size_t)16 << (how / 8 % 9);
        void *block = NULL;
        CHECK(posix_memalign(&block, alignment, size) == 0);
        CHECK((uintptr_t)block % alignment == 0);
        slot->block = (char *)block;
    } else {
        slot->block = (char *)malloc(size);
        CHECK(slot->block);
    }
    CHECK((uintptr_t)slot->block % 16 == 0);
    CHECK(malloc_usable_size(slot->block) >= size);
    fill(slot->block, size, slot->seed);
}

__attribute__((unused))
static void slot_resize(struct slot *slot, size_t limit, uint64_t *random)
{
    size_t size = random_size(random, limit);
    size_t kept = size < slot->size ? size : slot->size;
    char *block = (char *)realloc(slot->block, size);
    CHECK(block);
    if (!filled_part(block, slot->size, kept, slot->seed))
        FAIL("realloc from %zu to %zu bytes lost bytes", slot->size, size);
    slot->block = block;
    slot->size = size;
    fill(block, size, slot->seed);
}

__attribute__((unused))
static void churn(struct slot *slots, size_t count, size_t limit, long turns, uint64_t seed)
{
    uint64_t random = seed * 0x9e3779b97f4a7c15u | 1;
    while (turns-- > 0) {
        struct slot *slot = &slots[random_next(&random) % count];
        /* Big blocks only now and then: their bytes would take all the time. */
        size_t most = random_next(&random) % 64 ? limit / 256 + 64 : limit;
        if (!slot->block)
            slot_new(slot, most, &random);
        else if (random_next(&random) % 4 == 0)
            slot_resize(slot, most, &random);
        else
            slot_free(slot);
    }
}

__attribute__((unused)) static void churn_end(struct slot *slots, size_t count)
{
    for (size_t i = 0; i < count; i++)
        slot_free(&slots[i]);
}

/* A whole short life of a program in one call, for children and threads. */
__attribute__((unused)) static void churn_once(uint64_t seed, long turns)
{
    struct slot slots[64];
    memset(slots, 0, sizeof slots);
    churn(slots, COUNT(slots), 256 * KIB, turns, seed);
    churn_end(slots, COUNT(slots));
}

#endif
