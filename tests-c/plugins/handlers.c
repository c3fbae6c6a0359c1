/* A library that registers fork handlers, which allocate, and takes them with it when it goes. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char *kept;

static void before(void)
{
    kept = strdup("kept over the fork");
    free(calloc(1, 400000));
}

static void after(void)
{
    if (strcmp(kept, "kept over the fork") != 0)
        abort();
    free(kept);
    free(malloc(3000));
}

__attribute__((constructor)) static void load(void)
{
    pthread_atfork(before, after, after);
}
