/*
 * A walk over the loaded objects may allocate, and wait for threads that allocate, begin and end.
 */
#include "../lib/churn.h"
#include <execinfo.h>
#include <link.h>

static volatile int stop;

static void *once(void *argument)
{
    churn_once((uint64_t)argument, 200);
    return NULL;
}

static void *hammer(void *argument)
{
    for (uint64_t seed = (uint64_t)argument; !stop; seed++)
        churn_once(seed, 200);
    return NULL;
}

/* The loader holds its lock over this call. */
static int see(struct dl_phdr_info *info, size_t size, void *seen)
{
    char *name = strdup(info->dlpi_name);
    CHECK(name && size);
    if (*(int *)seen % 4 == 0)
        run_thread_body(once, NULL);
    churn_once((uint64_t)*(int *)seen, 50);
    free(name);
    ++*(int *)seen;
    return 0;
}

static void *walk(void *argument)
{
    for (int turn = 0; turn < 20; turn++) {
        int seen = 0;
        dl_iterate_phdr(see, &seen);
        CHECK(seen > 2);
        void *frames[20];
        char **names = backtrace_symbols(frames, backtrace(frames, 20));
        CHECK(names);
        free(names);
    }
    return argument;
}

int main(void)
{
    pthread_t busy[2], walker;
    void *frame;
    alarm(25);
    /* Loads the unwinder: a load beside a walk that waits for a thread is a deadlock of glibc's own. */
    backtrace(&frame, 1);
    for (size_t i = 0; i < 2; i++)
        CHECK(pthread_create(&busy[i], NULL, hammer, (void *)i) == 0);
    CHECK(pthread_create(&walker, NULL, walk, NULL) == 0);
    walk(NULL);
    pthread_join(walker, NULL);
    stop = 1;
    for (size_t i = 0; i < 2; i++)
        pthread_join(busy[i], NULL);
    return 0;
}
