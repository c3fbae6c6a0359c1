/*
 * A program whose malloc and free go on at the next library's shares one heap with all other functions.
 * ways: preload so
 */
#include "../lib/test.h"
#include <dlfcn.h>

static void *(*next_malloc)(size_t);
static void (*next_free)(void *);
static size_t made;

void *malloc(size_t size)
{
    if (!next_malloc)
        next_malloc = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
    made++;
    return next_malloc(size);
}

void free(void *block)
{
    if (!next_free)
        next_free = (void (*)(void *))dlsym(RTLD_NEXT, "free");
    next_free(block);
}

static void *body(void *argument)
{
    for (size_t size = 1; size < 20 * MIB; size = size * 3 + 1) {
        free(malloc(size));
        free(calloc(1, size));
        free(realloc(malloc(size), size * 2));
        free(memalign(256, size));
        free(strdup("libc calls the program's malloc"));
    }
    return argument;
}

int main(void)
{
    body(NULL);
    run_thread_body(body, NULL);
    CHECK(made > 50);
    return 0;
}
