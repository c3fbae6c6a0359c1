/*
 * Memory that libc functions return can be freed, reallocated and measured.
 */
#include "../lib/test.h"
#include <wchar.h>

static void take(void *block, size_t size)
{
    CHECK(block && malloc_usable_size(block) >= size);
    block = realloc(block, size * 3 + 100);
    CHECK(block);
    free(block);
}

int main(void)
{
    char *line = NULL, *text = NULL;
    size_t room = 0;
    take(strdup("a text"), 7);
    take(strndup("a text", 3), 4);
    take(wcsdup(L"a text"), 7 * sizeof(wchar_t));
    CHECK(asprintf(&text, "%d %s", 42, "a longer text that is made by printf") > 0);
    take(text, strlen(text) + 1);

    FILE *file = tmpfile();
    CHECK(file);
    for (int i = 0; i < 5000; i++)
        fputs("many words ", file);
    fputc(10, file);
    rewind(file);
    CHECK(getline(&line, &room, file) == 55001);
    CHECK(room >= 55002 && malloc_usable_size(line) >= room);
    take(line, room);
    /* A buffer of our own, too small: getline grows it. */
    line = malloc(4);
    room = 4;
    rewind(file);
    CHECK(getline(&line, &room, file) == 55001);
    take(line, room);
    fclose(file);

    file = open_memstream(&text, &room);
    CHECK(file);
    for (int i = 0; i < 20000; i++)
        fprintf(file, "%d ", i);
    fclose(file);
    CHECK(strlen(text) == room);
    take(text, room + 1);

    take(realpath("/", NULL), 2);
    take(getcwd(NULL, 0), 2);
    CHECK(setvbuf(stdout, NULL, _IOFBF, 100000) == 0);
    file = fopen("/dev/null", "w");
    CHECK(file && fputs("x", file) >= 0 && fclose(file) == 0);
    for (int i = 0; i < 3000; i++) {
        char name[32];
        snprintf(name, sizeof name, "NAME_%d", i);
        CHECK(setenv(name, "value", 1) == 0);
    }
    CHECK(strcmp(getenv("NAME_2999"), "value") == 0);
    return 0;
}
