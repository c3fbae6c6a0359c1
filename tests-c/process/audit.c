/*
 * A program runs under an audit library that sees every binding and allocates in its own namespace.
 * plugin: audit worker
 */
#include "../lib/churn.h"
#include <dlfcn.h>

static void *body(void *argument)
{
    churn_once((uint64_t)argument, 1000);
    return NULL;
}

int main(int count, char **arguments)
{
    if (count == 3) {
        char *again[] = {arguments[0], arguments[2], NULL};
        setenv("LD_AUDIT", arguments[1], 1);
        execv(arguments[0], again);
        FAIL("exec: errno %d", errno);
    }
    CHECK(count == 2 && getenv("LD_AUDIT"));
    body((void *)1);
    for (size_t i = 0; i < 4; i++)
        run_thread_body(body, (void *)i);
    void *plugin = dlopen(arguments[1], RTLD_LAZY);
    CHECK(plugin);
    void *(*make)(size_t) = (void *(*)(size_t))dlsym(plugin, "plugin_new");
    CHECK(make);
    free(make(500));
    CHECK(dlclose(plugin) == 0);
    return 0;
}
