/*
 * LOHALLOC_STATS with a path that cannot be written leaves the program alone.
 * only: lohalloc
 * stderr: ^(lohalloc: .*)?$
 */
#include "../lib/churn.h"

int main(int count, char **arguments)
{
    static char *const paths[] = {"/nonexistent/file", "/", ".", "/dev/full"};
    if (count == 2) {
        churn_once(1, 1000);
        return 0;
    }
    for (size_t i = 0; i < COUNT(paths); i++) {
        pid_t child = fork();
        if (child == 0) {
            char *again[] = {arguments[0], "work", NULL};
            setenv("LOHALLOC_STATS", paths[i], 1);
            execv(arguments[0], again);
            _exit(9);
        }
        check_child(child);
    }
    return 0;
}
