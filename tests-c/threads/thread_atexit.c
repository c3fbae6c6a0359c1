/*
 * Destructors of thread_local objects that register more of them, and allocate, strand nothing.
 */
#include "../lib/churn.h"

extern int __cxa_thread_atexit_impl(void (*destructor)(void *), void *object, void *handle);
extern void *__dso_handle;

struct link {
    int depth;
    char bytes[3000];
};

static void destroy(void *object)
{
    struct link *link = object;
    CHECK(filled(link->bytes, sizeof link->bytes, 7));
    if (link->depth > 0) {
        struct link *next = malloc(sizeof *next);
        CHECK(next);
        next->depth = link->depth - 1;
        fill(next->bytes, sizeof next->bytes, 7);
        CHECK(__cxa_thread_atexit_impl(destroy, next, &__dso_handle) == 0);
    }
    free(link);
    free(hide(calloc(1, 20 * KIB)));
}

static void *body(void *argument)
{
    for (int i = 0; i < 4; i++) {
        struct link *link = malloc(sizeof *link);
        CHECK(link);
        link->depth = 5;
        fill(link->bytes, sizeof link->bytes, 7);
        CHECK(__cxa_thread_atexit_impl(destroy, link, &__dso_handle) == 0);
    }
    return argument;
}

int main(void)
{
    size_t start = 0;
    for (int turn = 0; turn < 1500; turn++) {
        run_thread_body(body, NULL);
        if (turn == 100)
            start = resident();
    }
    if (resident() > start + 4 * MIB)
        FAIL("resident %zu KiB after 100 threads, %zu KiB after 1500", start / KIB, resident() / KIB);
    return 0;
}
