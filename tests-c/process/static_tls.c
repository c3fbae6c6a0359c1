/*
 * The library can be opened late where others have taken most of the static thread storage, and leaves it to them.
 * only: lohalloc
 * ways: preload
 * plugin: storage
 */
#include "../lib/test.h"
#include <dlfcn.h>

static __thread char much[60000];
static void *(*make)(size_t);
static void (*drop)(void *);
static int (*first)(void);

static void *body(void *argument)
{
    memset(much, 1, sizeof much);
    void *block = make(1000);
    CHECK(block && first() == 1);
    drop(block);
    return argument;
}

int main(int count, char **arguments)
{
    if (count == 2) {
        /* Preloaded: another library finds the room that it needs. */
        void *plugin = dlopen(arguments[1], RTLD_NOW);
        if (!plugin)
            FAIL("%s", dlerror());
        char *again[] = {arguments[0], arguments[1], getenv("LD_PRELOAD"), NULL};
        unsetenv("LD_PRELOAD");
        execv(arguments[0], again);
        FAIL("exec: errno %d", errno);
    }
    CHECK(count == 3);
    void *plugin = dlopen(arguments[1], RTLD_NOW);
    if (!plugin)
        FAIL("%s", dlerror());
    void *library = dlopen(arguments[2], RTLD_NOW);
    if (!library)
        FAIL("%s", dlerror());
    make = (void *(*)(size_t))dlsym(library, "malloc");
    drop = (void (*)(void *))dlsym(library, "free");
    first = (int (*)(void))dlsym(plugin, "plugin_first");
    CHECK(make && drop && first && first() == 1);
    for (int i = 0; i < 20; i++)
        run_thread_body(body, NULL);
    return 0;
}
