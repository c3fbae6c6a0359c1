/* A library that hands out what libc allocated for it, and frees by its own calls. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *plugin_copy(const char *text)
{
    return strdup(text);
}

char *plugin_print(const char *text, int number)
{
    char *line = NULL;
    return asprintf(&line, "%s %d", text, number) < 0 ? NULL : line;
}

void plugin_drop(void *block)
{
    free(block);
}

/* All within the library: what libc gives it, it frees. */
int plugin_round(const char *text)
{
    char *copy = strdup(text), *line = NULL;
    size_t room = 0;
    FILE *file = fmemopen(copy, strlen(copy), "r");
    ssize_t got = getline(&line, &room, file);
    fclose(file);
    copy = realloc(copy, 5000);
    free(copy);
    free(line);
    return (int)got;
}
