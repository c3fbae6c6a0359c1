/* A library whose constructor waits for a thread that allocates, under the loader's lock. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *made;

static void *body(void *argument)
{
    for (size_t size = 1; size < 2000000; size = size * 3 + 1) {
        char *block = calloc(1, size);
        memset(block, 1, size);
        free(realloc(block, size * 2));
    }
    made = malloc(1000);
    return argument;
}

static void wait_for_thread(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, body, NULL) != 0)
        abort();
    pthread_join(thread, NULL);
}

__attribute__((constructor)) static void load(void)
{
    wait_for_thread();
}

__attribute__((destructor)) static void unload(void)
{
    free(made);
    wait_for_thread();
    free(made);
}
