/*
 * A program starts with 20 MiB of addresses, and with 3 MiB of data, and has most of that for itself.
 */
#include "../lib/exhaust.h"

int main(int count, char **arguments)
{
    if (count == 1) {
        static const struct { int which; size_t bytes; } limits[] = {{RLIMIT_AS, 20 * MIB}, {RLIMIT_DATA, 3 * MIB}};
        for (size_t i = 0; i < COUNT(limits); i++) {
            pid_t child = fork();
            if (child == 0)
                restart_with(limits[i].which, limits[i].bytes, arguments);
            check_child(child);
        }
        return 0;
    }
    struct rlimit limit;
    CHECK(getrlimit(RLIMIT_AS, &limit) == 0);
    size_t least = limit.rlim_cur == RLIM_INFINITY ? 500 * KIB : 4 * MIB, bytes = 0;
    void *list = NULL;
    for (void **block; (block = malloc(1000)); bytes += 1000) {
        *block = list;
        list = block;
    }
    CHECK(errno == ENOMEM);
    while (list) {
        void *next = *(void **)list;
        free(list);
        list = next;
    }
    if (bytes < least)
        FAIL("only %zu KiB", bytes / KIB);
    void *block = malloc(least / 2);
    CHECK(block);
    free(block);
    return 0;
}
