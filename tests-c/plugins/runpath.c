/*
 * A library that opens another by its bare name, which only its own search path leads to.
 * flags: -Wl,--enable-new-dtags -Wl,-rpath,$ORIGIN
 */
#include <dlfcn.h>
#include <stddef.h>

void *plugin_open(const char *name, int flags)
{
    return dlopen(name, flags);
}

void *plugin_open_in(long space, const char *name, int flags)
{
    extern void *dlmopen(long, const char *, int);
    return dlmopen(space, name, flags);
}
