/*
 * The constructor of a library may wait for a thread that allocates, when it is opened and when it is preloaded.
 * plugin: waiting
 */
#include "../lib/churn.h"
#include <dlfcn.h>

int main(int count, char **arguments)
{
    static char text[8192];
    if (count == 1)
        return 0;
    for (int turn = 0; turn < 20; turn++) {
        void *plugin = dlopen(arguments[1], RTLD_NOW);
        if (!plugin)
            FAIL("%s", dlerror());
        churn_once((uint64_t)turn, 100);
        CHECK(dlclose(plugin) == 0);
    }
    /* Its constructor before ours, and after it. */
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
