/*
 * What is writable is at most twice what is used, and none of it is accounted beforehand: a large process forks and spawns.
 */
#include "../lib/exhaust.h"
#include <spawn.h>

/* Bytes in private writable mappings that count as committed: those without "nr" in VmFlags. */
static size_t accounted(void)
{
    static char line[512];
    size_t sum = 0, size = 0;
    int writable = 0;
    /* Reads without stdio, which allocates. */
    int fd = open("/proc/self/smaps", O_RDONLY);
    size_t n = 0;
    char c;
    static char buffer[1 << 16];
    ssize_t got;
    CHECK(fd >= 0);
    while ((got = read(fd, buffer, sizeof buffer)) > 0)
        for (ssize_t i = 0; i < got; i++) {
            c = buffer[i];
            if (c != '\n') {
                if (n < sizeof line - 1)
                    line[n++] = c;
                continue;
            }
            line[n] = 0;
            n = 0;
            unsigned long from, to;
            char flags[8];
            if (sscanf(line, "%lx-%lx %7s", &from, &to, flags) == 3) {
                size = to - from;
                writable = flags[1] == 'w' && flags[3] == 'p';
            } else if (strncmp(line, "VmFlags:", 8) == 0 && writable && !strstr(line, " nr")) {
                sum += size;
            }
        }
    close(fd);
    return sum;
}

int main(void)
{
    struct taken taken = taken_new(2000000);
    size_t writable_before = status_bytes("VmData:"), accounted_before = accounted();
    CHECK(take(&taken, MIXED, 200 * MIB));
    size_t grown = status_bytes("VmData:") - writable_before, counted = accounted() - accounted_before;
    if (grown > 400 * MIB || counted > 400 * MIB)
        FAIL("%zu MiB writable and %zu MiB accounted for 200 MiB", grown / MIB, counted / MIB);
    pid_t child = fork();
    if (child == 0) {
        free_taken(&taken);
        CHECK(take(&taken, MIXED, 20 * MIB));
        _exit(0);
    }
    check_child(child);
    char *arguments[] = {(char *)"true", NULL}, *none[] = {NULL};
    CHECK(posix_spawnp(&child, "true", NULL, NULL, arguments, none) == 0);
    check_child(child);
    free_taken(&taken);
    return 0;
}
