/*
 * A library in C++ with static objects can be loaded, used and unloaded 2000 times, and memory does not grow.
 * plugin: cxx
 */
#include "../lib/churn.h"
#include <dlfcn.h>

static void *use(void *path)
{
    void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!plugin)
        FAIL("%s", dlerror());
    size_t (*work)(int) = (size_t(*)(int))dlsym(plugin, "plugin_work");
    CHECK(work && work(1) == 2);
    CHECK(dlclose(plugin) == 0);
    return NULL;
}

int main(int count, char **arguments)
{
    size_t start = 0;
    CHECK(count == 2);
    for (int turn = 0; turn < 2000; turn++) {
        /* The thread's own objects hold the library until the thread ends. */
        if (turn % 5 == 0)
            run_thread_body(use, arguments[1]);
        void *plugin = dlopen(arguments[1], RTLD_LAZY);
        CHECK(plugin && dlclose(plugin) == 0);
        CHECK(dlopen(arguments[1], RTLD_LAZY | RTLD_NOLOAD) == NULL);
        if (turn == 200)
            start = resident();
    }
    if (resident() > start + 4 * MIB)
        FAIL("resident %zu KiB after 200 turns, %zu KiB after 2000", start / KIB, resident() / KIB);
    return 0;
}
