/* An auditor (LD_AUDIT): the loader gives it a namespace of its own and tells it of every object and
 * every binding. It allocates all the while. */
#define _GNU_SOURCE 1
#include <link.h>
#include <stdlib.h>
#include <string.h>

static void work(void)
{
    for (size_t size = 1; size < 400000; size *= 5) {
        char *block = calloc(1, size);
        if (!block)
            abort();
        memset(block, 1, size);
        free(realloc(block, size * 2));
    }
}

unsigned la_version(unsigned version)
{
    work();
    return version;
}

unsigned la_objopen(struct link_map *map, Lmid_t space, uintptr_t *cookie)
{
    work();
    return LA_FLG_BINDTO | LA_FLG_BINDFROM;
}

unsigned la_objclose(uintptr_t *cookie)
{
    work();
    return 0;
}

void la_activity(uintptr_t *cookie, unsigned flag)
{
    work();
}

void la_preinit(uintptr_t *cookie)
{
    work();
}
