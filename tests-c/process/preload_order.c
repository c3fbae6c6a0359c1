/*
 * Libraries that allocate in their constructors may be preloaded before and behind this one.
 * plugin: exchange
 */
#include "../lib/churn.h"
#include <dlfcn.h>

int main(int count, char **arguments)
{
    static char text[8192];
    if (count == 1) {
        char *(*take)(void) = (char *(*)(void))dlsym(RTLD_DEFAULT, "exchange_take");
        char **given = (char **)dlsym(RTLD_DEFAULT, "exchange_given");
        CHECK(take && given && strcmp(take(), "made early") == 0);
        free(take());
        *given = strdup("given late");
        churn_once(1, 1000);
        return 0;
    }
    const char *ours = getenv("LD_PRELOAD");
    for (int order = 0; order < 2; order++) {
        const char *first = order ? arguments[1] : ours, *second = order ? ours : arguments[1];
        snprintf(text, sizeof text, "%s %s", first ? first : "", second ? second : "");
        pid_t child = fork();
        if (child == 0) {
            char *again[] = {arguments[0], NULL};
            setenv("LD_PRELOAD", text, 1);
            execv(arguments[0], again);
            _exit(9);
        }
        check_child(child);
    }
    return 0;
}
