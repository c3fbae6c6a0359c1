/* A library whose functions are chosen when it is loaded, by code that allocates. */
#include <stdlib.h>
#include <string.h>

static int one(void)
{
    return 1;
}

static int (*choose(void))(void)
{
    for (size_t size = 1; size < 400000; size *= 3) {
        char *block = malloc(size);
        memset(block, 1, size);
        free(realloc(block, size * 2));
    }
    return one;
}

int plugin_chosen(void) __attribute__((ifunc("choose")));
