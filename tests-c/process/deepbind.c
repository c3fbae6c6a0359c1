/*
 * A plugin opened with RTLD_DEEPBIND frees what libc and its host allocated.
 * plugin: deepbind
 * ways: preload so
 */
#define _GNU_SOURCE
#include "../lib/test.h"
#include <dlfcn.h>
#include <string.h>

int main(int count, char **arguments)
{
    CHECK(count == 2);
    void *plugin = dlopen(arguments[1], RTLD_NOW | RTLD_DEEPBIND);
    if (!plugin)
        FAIL("%s", dlerror());
    int (*works)(const char *) = (int (*)(const char *))dlsym(plugin, "plugin_works");
    char *(*copy)(const char *) = (char *(*)(const char *))dlsym(plugin, "plugin_copy");
    void (*release)(void *) = (void (*)(void *))dlsym(plugin, "plugin_free");
    CHECK(works && copy && release);
    for (int i = 0; i < 1000; i++) {
        CHECK(works("words"));
        char *theirs = copy("text");
        CHECK(theirs && !strcmp(theirs, "text"));
        free(theirs);
        release(strdup("ours"));
        release(malloc((size_t)i * 100));
    }
    CHECK(dlclose(plugin) == 0);
    return 0;
}
