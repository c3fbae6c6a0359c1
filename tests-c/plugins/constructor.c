/* A library that allocates when it is loaded and frees when it is unloaded. */
#include <stdlib.h>
#include <string.h>

static char *made;
static void *kept[500];

__attribute__((constructor)) static void load(void)
{
    made = strdup("made by the constructor");
    for (size_t i = 0; i < 500; i++)
        kept[i] = calloc(1, 10 + i * 20);
}

__attribute__((destructor)) static void unload(void)
{
    for (size_t i = 0; i < 500; i++)
        free(kept[i]);
}

char *plugin_take(void)
{
    return made;
}
