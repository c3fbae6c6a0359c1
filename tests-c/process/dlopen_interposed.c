/*
 * A program that defines dlopen itself and calls the next one in it gets all calls, and libraries open.
 * plugin: runpath worker
 * flags: -rdynamic
 */
#include "../lib/test.h"
#include <dlfcn.h>

static int calls;

void *dlopen(const char *file, int flags)
{
    static void *(*next)(const char *, int);
    if (!next)
        next = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
    CHECK(next && next != dlopen);
    calls++;
    free(malloc(500));
    return next(file, flags);
}

int main(int count, char **arguments)
{
    CHECK(count == 3);
    void *plugin = dlopen(arguments[1], RTLD_NOW);
    CHECK(plugin && calls == 1);
    void *(*open)(const char *, int) = (void *(*)(const char *, int))dlsym(plugin, "plugin_open");
    CHECK(open && open(arguments[2], RTLD_NOW | RTLD_DEEPBIND) && calls == 2);
    CHECK(open("/nonexistent.so", RTLD_NOW) == NULL && dlerror() && calls == 3);
    return 0;
}
