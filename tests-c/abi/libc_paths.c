/*
 * Paths, patterns and stack traces that libc makes are freed by free.
 */
#define _GNU_SOURCE 1
#include "../lib/test.h"
#include <argz.h>
#include <execinfo.h>
#include <regex.h>

int main(void)
{
    size_t start = 0;
    for (int turn = 0; turn < 20; turn++) {
        char *path = realpath("/proc/self/../self/.", NULL);
        CHECK(path && path[0] == '/' && malloc_usable_size(path) > strlen(path));
        free(path);
        path = canonicalize_file_name("/dev/../dev/null");
        CHECK(path && strcmp(path, "/dev/null") == 0);
        free(realloc(path, 5000));
        regex_t pattern;
        CHECK(regcomp(&pattern, "^(a|b)*[0-9]{1,200}$", REG_EXTENDED) == 0);
        CHECK(regexec(&pattern, "abab12345", 0, NULL, 0) == 0);
        regfree(&pattern);
        void *frames[10];
        int count = backtrace(frames, 10);
        char **names = backtrace_symbols(frames, count);
        CHECK(count > 0 && names && malloc_usable_size(names) >= (size_t)count * sizeof *names);
        free(names);
        char *list = NULL;
        size_t length = 0;
        for (int i = 0; i < 1000; i++)
            CHECK(argz_add(&list, &length, "element") == 0);
        CHECK(argz_count(list, length) == 1000 && malloc_usable_size(list) >= length);
        free(list);
        if (turn == 10)
            start = mallinfo2().uordblks;
    }
    CHECK(mallinfo2().uordblks < start + 256 * KIB);
    return 0;
}
