/*
 * A program runs with all names bound at once, with none bound before its use, and libraries open in either way.
 * plugin: worker objects
 */
#include "../lib/churn.h"
#include <dlfcn.h>

static void work(char **plugins)
{
    for (int i = 0; i < 2; i++) {
        void *lazy = dlopen(plugins[i], RTLD_LAZY | RTLD_GLOBAL);
        if (!lazy)
            FAIL("%s", dlerror());
        CHECK(dlopen(plugins[i], RTLD_NOW) == lazy);
    }
    void *(*make)(size_t) = (void *(*)(size_t))dlsym(RTLD_DEFAULT, "plugin_new");
    size_t (*sum)(void) = (size_t(*)(void))dlsym(RTLD_DEFAULT, "plugin_sum");
    CHECK(make && sum && sum() == 6351);
    free(make(100));
    churn_once(1, 2000);
}

int main(int count, char **arguments)
{
    static const char *names[] = {"LD_BIND_NOW", "LD_BIND_NOT", "LD_DYNAMIC_WEAK"};
    CHECK(count >= 3);
    if (count == 4) {
        work(arguments + 1);
        return 0;
    }
    for (size_t i = 0; i < COUNT(names); i++) {
        pid_t child = fork();
        if (child == 0) {
            char *again[] = {arguments[0], arguments[1], arguments[2], "again", NULL};
            setenv(names[i], "1", 1);
            execv(arguments[0], again);
            _exit(9);
        }
        check_child(child);
    }
    return 0;
}
