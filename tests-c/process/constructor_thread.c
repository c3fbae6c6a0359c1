/*
 * The constructor of a library may wait for a thread that allocates, though it holds the loader's lock.
 * plugin: constructor_thread
 */
#include "../lib/churn.h"
#include <dlfcn.h>

static volatile int stop;

static void *hammer(void *argument)
{
    /* These threads end and begin while the loader is busy. */
    for (uint64_t seed = (uint64_t)argument; !stop; seed++)
        churn_once(seed, 100);
    return NULL;
}

static void *open_there(void *argument)
{
    void *plugin = dlopen(argument, RTLD_NOW);
    if (!plugin)
        FAIL("%s", dlerror());
    CHECK(dlclose(plugin) == 0);
    return NULL;
}

int main(int count, char **arguments)
{
    pthread_t thread;
    CHECK(count == 2);
    alarm(20);
    /* The first time no other thread has been there yet. */
    open_there(arguments[1]);
    CHECK(pthread_create(&thread, NULL, hammer, NULL) == 0);
    for (int turn = 0; turn < 50; turn++)
        run_thread_body(open_there, arguments[1]);
    stop = 1;
    pthread_join(thread, NULL);
    return 0;
}
