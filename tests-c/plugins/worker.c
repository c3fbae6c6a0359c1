/* A library that allocates for its host and frees what the host allocated. */
#include <stdlib.h>

void *plugin_new(size_t size)
{
    return calloc(1, size);
}

void *plugin_grow(void *block, size_t size)
{
    return realloc(block, size);
}

void plugin_free(void *block)
{
    free(block);
}
