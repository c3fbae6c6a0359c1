/*
 * dlopen looks along the search path of the library that calls it, and the caller's namespace stays its own.
 * plugin: runpath worker
 */
#include "../lib/test.h"
#include <dlfcn.h>

int main(int count, char **arguments)
{
    CHECK(count == 3);
    void *plugin = dlopen(arguments[1], RTLD_NOW);
    if (!plugin)
        FAIL("%s", dlerror());
    CHECK(dlopen("worker.so", RTLD_NOW) == NULL && dlerror());
    void *(*open)(const char *, int) = (void *(*)(const char *, int))dlsym(plugin, "plugin_open");
    void *(*open_in)(long, const char *, int) =
        (void *(*)(long, const char *, int))dlsym(plugin, "plugin_open_in");
    CHECK(open && open_in);
    void *worker = open("worker.so", RTLD_NOW);
    if (!worker)
        FAIL("%s", dlerror());
    void (*drop)(void *) = (void (*)(void *))dlsym(worker, "plugin_free");
    CHECK(drop);
    drop(malloc(100));
    CHECK(open_in(LM_ID_BASE, "worker.so", RTLD_NOW) == worker);
    CHECK(dlopen(arguments[2], RTLD_NOW | RTLD_NOLOAD) == worker);
    /* The program itself, for whoever asks. */
    void *program = dlopen(NULL, RTLD_NOW);
    CHECK(program && open(NULL, RTLD_NOW) == program);
    CHECK(dlsym(program, "malloc"));
    CHECK(dlsym(RTLD_DEFAULT, "dlopen") == (void *)dlopen);
    return 0;
}
