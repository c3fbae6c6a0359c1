/*
 * LOHALLOC_STATS=path appends one line a process to that file and says nothing.
 * only: lohalloc
 */
#include "../lib/churn.h"

int main(int count, char **arguments)
{
    char text[4096];
    size_t lines = 0;
    if (count == 2) {
        churn_once(1, 1000);
        return 0;
    }
    for (int i = 0; i < 3; i++) {
        pid_t child = fork();
        if (child == 0) {
            char *again[] = {arguments[0], "work", NULL};
            setenv("LOHALLOC_STATS", "stats.txt", 1);
            execv(arguments[0], again);
            _exit(9);
        }
        check_child(child);
    }
    read_file("stats.txt", text, sizeof text);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        unsigned long served = 0;
        CHECK(sscanf(line, "lohalloc: served %lu blocks", &served) == 1 && served > 0);
        lines++;
    }
    CHECK(lines == 3);
    return 0;
}
