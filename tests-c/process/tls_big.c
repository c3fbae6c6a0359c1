/*
 * A program with 80 KiB of thread-local memory works, and can load a library with 1000 bytes of its own.
 * plugin: tls
 */
#include "../lib/churn.h"
#include <dlfcn.h>

static __thread char large[80 * KIB];
static char *(*words)(void);

static void *body(void *argument)
{
    touch(large, sizeof large);
    CHECK(words()[0] == 1);
    churn_once((uint64_t)argument, 500);
    CHECK(large[0] == 1 && large[sizeof large - 1] == 1);
    return NULL;
}

int main(int count, char **arguments)
{
    CHECK(count == 2);
    touch(large, sizeof large);
    churn_once(1, 500);
    void *plugin = dlopen(arguments[1], RTLD_NOW);
    if (!plugin)
        FAIL("%s", dlerror());
    CHECK(words = (char *(*)(void))dlsym(plugin, "plugin_words"));
    body(NULL);
    for (size_t i = 0; i < 20; i++)
        run_thread_body(body, (void *)i);
    CHECK(dlclose(plugin) == 0);
    return 0;
}
