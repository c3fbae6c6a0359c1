/* A library that allocates in its constructor what others free, and the other way round. */
#include <stdlib.h>
#include <string.h>

static char *made;
char *exchange_given;

__attribute__((constructor)) static void load(void)
{
    made = strdup("made early");
}

__attribute__((destructor)) static void unload(void)
{
    free(exchange_given);
    free(calloc(3, 1000));
}

char *exchange_take(void)
{
    return made;
}
