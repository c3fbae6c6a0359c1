/*
 * A program may load the library late, use it by its own names in threads, and unload it before these end.
 * ways: preload
 * only: lohalloc
 */
#include "../lib/again.h"
#include "../lib/churn.h"
#include <dlfcn.h>

static void *(*take)(size_t);
static void (*give)(void *);
static void *left[50];

static void *body(void *argument)
{
    static _Thread_local void *blocks[200];
    pthread_barrier_t *barriers = argument;
    for (size_t i = 0; i < COUNT(blocks); i++) {
        CHECK(blocks[i] = take(i * 100));
        fill(blocks[i], i * 100, i);
    }
    for (size_t i = COUNT(left); i < COUNT(blocks); i++) {
        CHECK(filled(blocks[i], i * 100, i));
        give(blocks[i]);
    }
    memcpy(left, blocks, sizeof left);
    pthread_barrier_wait(&barriers[0]);
    /* Here the library is unloaded; the thread ends after that. */
    pthread_barrier_wait(&barriers[1]);
    return NULL;
}

int main(int count, char **arguments)
{
    if (count == 1) {
        CHECK(setenv("LIBRARY", getenv("LD_PRELOAD"), 1) == 0);
        CHECK(unsetenv("LD_PRELOAD") == 0);
        again(arguments, "alone");
        return 0;
    }
    for (int turn = 0; turn < 100; turn++) {
        pthread_barrier_t barriers[2];
        pthread_t thread;
        void *library = dlopen(getenv("LIBRARY"), RTLD_NOW | RTLD_LOCAL);
        if (!library)
            FAIL("%s", dlerror());
        CHECK(take = (void *(*)(size_t))dlsym(library, "lohalloc_malloc"));
        CHECK(give = (void (*)(void *))dlsym(library, "lohalloc_free"));
        for (int i = 0; i < 2; i++)
            pthread_barrier_init(&barriers[i], NULL, 2);
        CHECK(pthread_create(&thread, NULL, body, barriers) == 0);
        pthread_barrier_wait(&barriers[0]);
        for (size_t i = 0; i < COUNT(left); i++) {
            CHECK(filled(left[i], i * 100, i));
            give(left[i]);
        }
        CHECK(dlclose(library) == 0);
        pthread_barrier_wait(&barriers[1]);
        pthread_join(thread, NULL);
        churn_once((uint64_t)turn, 50);
    }
    return 0;
}
