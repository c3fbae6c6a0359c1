/*
 * A plugin in a namespace of its own keeps to that namespace's libc, and its flags.
 * plugin: deepbind
 * ways: preload so
 */
#define _GNU_SOURCE
#include "../lib/test.h"
#include <dlfcn.h>

int main(int count, char **arguments)
{
    CHECK(count == 2);
    void *here = dlmopen(LM_ID_BASE, arguments[1], RTLD_NOW | RTLD_DEEPBIND);
    if (!here)
        FAIL("%s", dlerror());
    void *apart = dlmopen(LM_ID_NEWLM, arguments[1], RTLD_NOW);
    if (!apart)
        FAIL("%s", dlerror());
    int (*works)(const char *) = (int (*)(const char *))dlsym(here, "plugin_works");
    int (*works_apart)(const char *) = (int (*)(const char *))dlsym(apart, "plugin_works");
    CHECK(works && works_apart && works != works_apart);
    for (int i = 0; i < 1000; i++)
        CHECK(works("words") && works_apart("others"));
    CHECK(dlclose(apart) == 0 && dlclose(here) == 0);
    return 0;
}
