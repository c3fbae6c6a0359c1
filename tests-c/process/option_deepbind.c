/*
 * LOHALLOC_OPTIONS=deepbind:keep leaves the flag as the program gave it.
 * plugin: deepbind
 * ways: preload
 * only: lohalloc
 * env: LOHALLOC_OPTIONS=deepbind:keep
 */
#define _GNU_SOURCE
#include "../lib/test.h"
#include <dlfcn.h>

int main(int count, char **arguments)
{
    CHECK(count == 2);
    void *plugin = dlopen(arguments[1], RTLD_NOW | RTLD_DEEPBIND);
    void *libc = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
    CHECK(plugin && libc);
    /* The plugin's free is libc's: it takes nothing but libc's blocks. */
    void *(*new)(size_t) = (void *(*)(size_t))dlsym(libc, "malloc");
    void (*release)(void *) = (void (*)(void *))dlsym(plugin, "plugin_free");
    CHECK(new && new != malloc && release);
    release(new(100));
    return 0;
}
