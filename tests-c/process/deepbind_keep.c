/*
 * With deepbind:keep a plugin's own names come before those of the program again.
 * ways: preload so
 * plugin: deep
 * env: LOHALLOC_OPTIONS=deepbind:keep
 * flags: -rdynamic
 */
#include "../lib/test.h"
#include <dlfcn.h>

int plugin_number(void)
{
    return 1;
}

int main(int count, char **arguments)
{
    void *plugin = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    if (!plugin)
        FAIL("%s", dlerror());
    int (*ask)(void) = (int (*)(void))dlsym(plugin, "plugin_ask");
    CHECK(count == 2 && ask && ask() == 2);
    return 0;
}
