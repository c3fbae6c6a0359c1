/*
 * dlopen searches the paths that the calling module was linked with.
 * plugin: deepbind
 * flags: -Wl,-rpath,/proc/self/cwd
 */
#define _GNU_SOURCE
#include "../lib/test.h"
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

int main(int count, char **arguments)
{
    CHECK(count == 2);
    char *name = strrchr(arguments[1], '/');
    CHECK(name);
    *name++ = 0;
    CHECK(chdir(arguments[1]) == 0);
    for (int i = 0; i < 2; i++)
        if (!dlopen(name, RTLD_NOW | (i ? RTLD_DEEPBIND : 0)))
            FAIL("%s", dlerror());
    return 0;
}
