/*
 * Taking memory until there is no more, in different ways, with every byte
 * checked and everything given back: what the tests of limits repeat.
 */
#ifndef EXHAUST_H
#define EXHAUST_H
#include "test.h"
#include <sys/resource.h>

enum way { SMALL, MEDIUM, LARGE, ZEROED, ALIGNED, GROWING, MIXED, WAYS };

static const char *const way_names[] = {"small", "medium", "large", "zeroed", "aligned", "growing", "mixed"};

struct taken {
    unsigned char **blocks;
    size_t *sizes;
    size_t most, count, bytes;
};

/* The tables are made before the limit. */
__attribute__((unused)) static struct taken taken_new(size_t most)
{
    struct taken taken = {(unsigned char **)own_memory(most * sizeof(void *)),
                          (size_t *)own_memory(most * sizeof(size_t)), most, 0, 0};
    return taken;
}

static size_t size_of_block(enum way way, size_t i)
{
    switch (way) {
    case SMALL: return i * 37 % 1000 + 1;
    case MEDIUM: return i * 7919 % (200 * KIB) + 10 * KIB;
    case LARGE: return i % 3 * MIB + 300 * KIB;
    case ZEROED: return i * 733 % (60 * KIB) + 1;
    case ALIGNED: return i * 431 % 9000 + 1;
    case GROWING: return 500;
    default: return size_of_block((enum way)(i % 5), i);
    }
}

static void *take_one(enum way way, size_t i, size_t size)
{
    void *block = NULL;
    errno = 0;
    if (way == MIXED)
        way = (enum way)(i % 5);
    if (way == ZEROED) {
        block = calloc(1, size);
        CHECK(!block || all_zero(block, size));
    } else if (way == ALIGNED) {
        int error = posix_memalign(&block, (size_t)64 << i % 7, size);
        CHECK(error == 0 || (error == ENOMEM && block == NULL));
        errno = error;
    } else {
        block = malloc(size);
    }
    CHECK(block || errno == ENOMEM);
    return block;
}

/* Lengthens the last block until that is refused. Says whether it ever grew. */
static int grow_last(struct taken *taken)
{
    size_t last = taken->count - 1, before = taken->sizes[last];
    for (;;) {
        size_t old = taken->sizes[last], size = old * 3 / 2;
        errno = 0;
        unsigned char *block = (unsigned char *)realloc(taken->blocks[last], size);
        if (!block) {
            CHECK(errno == ENOMEM);
            CHECK(filled(taken->blocks[last], old, last));
            return old > before;
        }
        CHECK(filled(block, old, last));
        fill(block, size, last);
        taken->blocks[last] = block;
        taken->bytes += size - old;
        taken->sizes[last] = size;
        /* Leaves room for more blocks than one. */
        if (size > 4 * MIB)
            return 1;
    }
}

/* Takes up to `limit` bytes. False if they could not be had. */
__attribute__((unused)) static int take(struct taken *taken, enum way way, size_t limit)
{
    while (taken->bytes < limit) {
        size_t i = taken->count, size = size_of_block(way, i);
        CHECK(i < taken->most);
        unsigned char *block = (unsigned char *)take_one(way, i, size);
        if (!block)
            return 0;
        fill(block, size, i);
        taken->blocks[i] = block;
        taken->sizes[i] = size;
        taken->bytes += size;
        taken->count++;
        if (way == GROWING)
            grow_last(taken);
    }
    return 1;
}

__attribute__((unused)) static void check_taken(const struct taken *taken)
{
    for (size_t i = 0; i < taken->count; i++)
        if (!filled(taken->blocks[i], taken->sizes[i], i))
            FAIL("block %zu of %zu bytes lost its bytes", i, taken->sizes[i]);
}

__attribute__((unused)) static void free_taken(struct taken *taken)
{
    check_taken(taken);
    for (size_t i = 0; i < taken->count; i++)
        free(taken->blocks[i]);
    taken->count = taken->bytes = 0;
}

__attribute__((unused)) static void set_limit(int which, size_t bytes)
{
    struct rlimit limit = {bytes, bytes};
    if (setrlimit(which, &limit))
        FAIL("setrlimit: errno %d", errno);
}

/* Runs the program once more, with a limit from its first instruction. */
__attribute__((unused)) static void restart_with(int which, size_t bytes, char **arguments)
{
    char *again[] = {arguments[0], (char *)"limited", NULL};
    set_limit(which, bytes);
    execv(arguments[0], again);
    FAIL("exec: errno %d", errno);
}

__attribute__((unused)) static void *touch_heap(void *argument)
{
    void *block = malloc(100);
    CHECK(block);
    free(block);
    return argument;
}

/* A thread with a stack of `stack` bytes can be made, and allocates. */
__attribute__((unused)) static void check_thread(size_t stack)
{
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    CHECK(pthread_attr_setstacksize(&attributes, stack) == 0);
    int error = pthread_create(&thread, &attributes, touch_heap, NULL);
    if (error)
        FAIL("pthread_create with %zu KiB: error %d", stack / KIB, error);
    pthread_join(thread, NULL);
}

#endif
