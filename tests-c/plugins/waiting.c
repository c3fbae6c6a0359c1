/* A library whose constructor waits for a thread that allocates. */
#include <pthread.h>
#include <stdlib.h>

static void *block;

static void *body(void *argument)
{
    for (size_t size = 1; size < 1000000; size = size * 3 + 1)
        free(calloc(1, size));
    block = malloc(3000);
    return argument;
}

__attribute__((constructor)) static void load(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, body, NULL) == 0)
        pthread_join(thread, NULL);
}

__attribute__((destructor)) static void unload(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, body, NULL) == 0)
        pthread_join(thread, NULL);
    free(block);
}
