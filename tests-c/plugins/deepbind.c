/* A library that frees what libc allocated for it, and hands such blocks to its host. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int plugin_works(const char *text)
{
    char *copy = strdup(text), *printed = NULL, *line = NULL;
    size_t length = 0;
    if (!copy || asprintf(&printed, "%s and %s", text, copy) < 0)
        return 0;
    FILE *stream = fmemopen(printed, strlen(printed), "r");
    if (!stream || getline(&line, &length, stream) < 0)
        return 0;
    int same = !strcmp(line, printed);
    fclose(stream);
    free(line);
    free(printed);
    free(copy);
    return same;
}

char *plugin_copy(const char *text)
{
    return strdup(text);
}

void plugin_free(void *block)
{
    free(block);
}
