/* An audit library: it lives in a namespace of its own, with a libc of its own, and allocates there. */
#define _GNU_SOURCE
#include <link.h>
#include <stdlib.h>
#include <string.h>

unsigned la_version(unsigned version)
{
    free(malloc(1000));
    return version;
}

char *la_objsearch(const char *name, uintptr_t *cookie, unsigned flag)
{
    free(strdup(name));
    return (char *)name;
}

unsigned la_objopen(struct link_map *map, Lmid_t space, uintptr_t *cookie)
{
    free(strdup(map->l_name));
    return LA_FLG_BINDTO | LA_FLG_BINDFROM;
}

uintptr_t la_symbind64(Elf64_Sym *symbol, unsigned index, uintptr_t *from, uintptr_t *to, unsigned *flags,
                       const char *name)
{
    free(strdup(name));
    return symbol->st_value;
}
