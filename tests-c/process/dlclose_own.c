/*
 * The library may be opened late, used by threads and closed again: threads that used it end in good order.
 * only: lohalloc
 * ways: preload
 */
#include "../lib/test.h"
#include <dlfcn.h>

static void *(*make)(size_t);
static void (*drop)(void *);
static pthread_barrier_t used, closed;

static void *body(void *argument)
{
    void *blocks[200];
    for (size_t i = 0; i < 200; i++) {
        CHECK(blocks[i] = make(i * 100));
        memset(blocks[i], 1, i * 100);
    }
    for (size_t i = 0; i < 200; i += 2)
        drop(blocks[i]);
    pthread_barrier_wait(&used);
    pthread_barrier_wait(&closed);
    return argument;
}

int main(int count, char **arguments)
{
    if (count == 1) {
        char *again[] = {arguments[0], getenv("LD_PRELOAD"), NULL};
        unsetenv("LD_PRELOAD");
        execv(arguments[0], again);
        FAIL("exec: errno %d", errno);
    }
    pthread_barrier_init(&used, NULL, 4);
    pthread_barrier_init(&closed, NULL, 4);
    for (int turn = 0; turn < 50; turn++) {
        pthread_t threads[3];
        void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
        if (!library)
            FAIL("%s", dlerror());
        make = (void *(*)(size_t))dlsym(library, "malloc");
        drop = (void (*)(void *))dlsym(library, "free");
        CHECK(make && drop && make != malloc);
        for (int i = 0; i < 3; i++)
            CHECK(pthread_create(&threads[i], NULL, body, NULL) == 0);
        pthread_barrier_wait(&used);
        CHECK(dlclose(library) == 0);
        pthread_barrier_wait(&closed);
        for (int i = 0; i < 3; i++)
            pthread_join(threads[i], NULL);
        free(hide(malloc(1000)));
    }
    return 0;
}
