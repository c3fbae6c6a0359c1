/*
 * Lines and buffers that streams make are freed by free, and buffers of the program's are grown.
 */
#define _GNU_SOURCE 1
#include "../lib/test.h"
#include <stdarg.h>
#include <wchar.h>

__attribute__((format(printf, 1, 2))) static char *made(const char *format, ...)
{
    char *text = NULL;
    va_list list;
    va_start(list, format);
    CHECK(vasprintf(&text, format, list) > 0);
    va_end(list);
    return text;
}

int main(void)
{
    free(malloc(1));
    size_t start = 0;
    for (int turn = 0; turn < 20; turn++) {
        wchar_t *wide = NULL;
        size_t length = 0, room = 8;
        FILE *file = open_wmemstream(&wide, &length);
        CHECK(file);
        for (int i = 0; i < 5000; i++)
            CHECK(fwprintf(file, L"%d ", i) > 0);
        CHECK(fclose(file) == 0 && wcslen(wide) == length);
        CHECK(malloc_usable_size(wide) >= (length + 1) * sizeof *wide);
        free(wide);
        char *text = made("%0*d", 30000, 7), *part = malloc(room);
        CHECK(strlen(text) == 30000);
        file = fmemopen(text, 30000, "r");
        CHECK(file && getdelim(&part, &room, '7', file) == 30000 && room > 30000);
        CHECK(malloc_usable_size(part) >= room);
        free(part);
        fclose(file);
        char *word = NULL;
        CHECK(sscanf("  a_word_of_sixteen_letters rest", "%ms", &word) == 1);
        CHECK(strcmp(word, "a_word_of_sixteen_letters") == 0);
        free(realloc(word, 1000));
        free(text);
        if (turn == 0)
            start = mallinfo2().uordblks;
    }
    CHECK(mallinfo2().uordblks < start + 64 * KIB);
    return 0;
}
