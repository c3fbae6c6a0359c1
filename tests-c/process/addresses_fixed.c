/*
 * A program works without randomised addresses, and with mappings placed from the bottom up.
 */
#include "../lib/churn.h"
#include <sys/personality.h>

int main(int count, char **arguments)
{
    static const unsigned long kinds[] = {ADDR_NO_RANDOMIZE, ADDR_COMPAT_LAYOUT,
                                          ADDR_NO_RANDOMIZE | ADDR_COMPAT_LAYOUT};
    if (count == 2) {
        churn_once(1, 2000);
        for (size_t size = MIB; size < 200 * MIB; size *= 2)
            free(realloc(hide(calloc(1, size)), size * 2));
        return 0;
    }
    for (size_t i = 0; i < COUNT(kinds); i++) {
        pid_t child = fork();
        if (child == 0) {
            char *again[] = {arguments[0], "again", NULL};
            if (personality(kinds[i]) == -1)
                _exit(77);
            execv(arguments[0], again);
            _exit(9);
        }
        int status;
        CHECK(waitpid(child, &status, 0) == child);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
            SKIP("this system does not let a program choose its layout");
        CHECK(status == 0);
    }
    return 0;
}
