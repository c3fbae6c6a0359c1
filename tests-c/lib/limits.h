/*
 * Limits that are set in mid-program, and memory that is taken until there is no more.
 */
#ifndef LIMITS_H
#define LIMITS_H
#include "test.h"
#include <sys/resource.h>

/* Every block taken begins with this; the rest is filled. */
struct taken {
    struct taken *next;
    size_t size;
};

/* The process may have `more` bytes beyond what counts towards the limit now. */
__attribute__((unused)) static void limit_to(int resource, size_t more)
{
    struct rlimit limit;
    CHECK(getrlimit((__rlimit_resource_t)resource, &limit) == 0);
    limit.rlim_cur = status_bytes(resource == RLIMIT_AS ? "VmSize:" : "VmData:") + more;
    CHECK(setrlimit((__rlimit_resource_t)resource, &limit) == 0);
}

__attribute__((unused)) static void limit_lift(int resource)
{
    struct rlimit limit;
    CHECK(getrlimit((__rlimit_resource_t)resource, &limit) == 0);
    limit.rlim_cur = limit.rlim_max;
    CHECK(setrlimit((__rlimit_resource_t)resource, &limit) == 0);
}

static void taken_fill(struct taken *block, size_t size)
{
    block->size = size;
    fill(block + 1, size - sizeof *block, (uintptr_t)block);
}

static void taken_check(const struct taken *block)
{
    if (!filled(block + 1, block->size - sizeof *block, (uintptr_t)block))
        FAIL("a block of %zu bytes lost its bytes", block->size);
}

/* Blocks of `size` bytes, at least 16, put before `*all` until `get` has no more; returns their bytes. */
__attribute__((unused))
static size_t take_all(struct taken **all, size_t size, size_t most, void *(*get)(size_t))
{
    size_t bytes = 0;
    for (;;) {
        errno = 0;
        struct taken *block = (struct taken *)get(size);
        if (!block)
            break;
        taken_fill(block, size);
        block->next = *all;
        *all = block;
        bytes += size;
        if (bytes > most)
            FAIL("%zu bytes in blocks of %zu, where %zu were allowed", bytes, size, most);
    }
    if (errno != ENOMEM)
        FAIL("NULL for %zu bytes with errno %d", size, errno);
    return bytes;
}

__attribute__((unused)) static void check_all(const struct taken *all)
{
    for (; all; all = all->next)
        taken_check(all);
}

__attribute__((unused)) static void free_all(struct taken **all)
{
    while (*all) {
        struct taken *block = *all;
        *all = block->next;
        taken_check(block);
        free(block);
    }
}

__attribute__((unused)) static void *a_thread_allocates(void *argument)
{
    void *block = malloc(100);
    CHECK(block);
    free(block);
    return argument;
}

/* After all is freed a thread (its stack has 8 MiB at most) can be made, and works. */
__attribute__((unused)) static void thread_works(size_t stack)
{
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    CHECK(pthread_attr_setstacksize(&attributes, stack) == 0);
    int error = pthread_create(&thread, &attributes, a_thread_allocates, NULL);
    if (error)
        FAIL("no thread though all is freed: %d", error);
    pthread_join(thread, NULL);
}

/* Take all, free all, in blocks of `size`: what was had once must be had again. */
__attribute__((unused))
static void exhaust(size_t size, size_t limit, void *(*get)(size_t), size_t stack)
{
    struct taken *all = NULL;
    size_t first = take_all(&all, size, limit + 512 * MIB, get);
    check_all(all);
    free_all(&all);
    thread_works(stack);
    size_t again = take_all(&all, size, limit + 512 * MIB, get);
    free_all(&all);
    thread_works(stack);
    if (size <= limit / 4 && first < limit / 4)
        FAIL("only %zu KiB of %zu in blocks of %zu bytes", first / KIB, limit / KIB, size);
    /* libc keeps the thread's stack, of what the first turn could have. */
    if (again + again / 16 + size + stack < first)
        FAIL("blocks of %zu bytes: %zu KiB at first, %zu KiB again", size, first / KIB, again / KIB);
}

#endif
