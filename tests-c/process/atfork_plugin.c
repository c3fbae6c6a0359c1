/*
 * A library's fork handlers may allocate, and the library may be closed before, between and after forks.
 * plugin: handlers
 */
#include "../lib/churn.h"
#include <dlfcn.h>

static volatile int stop;

static void *hammer(void *argument)
{
    while (!stop)
        churn_once((uint64_t)argument, 200);
    return NULL;
}

int main(int count, char **arguments)
{
    pthread_t thread;
    CHECK(count == 2);
    CHECK(pthread_create(&thread, NULL, hammer, NULL) == 0);
    for (int turn = 0; turn < 40; turn++) {
        void *plugin = turn % 4 ? dlopen(arguments[1], RTLD_NOW) : NULL;
        CHECK(plugin || turn % 4 == 0);
        pid_t child = fork();
        if (child == 0) {
            alarm(20);
            churn_once((uint64_t)turn, 200);
            if (plugin)
                CHECK(dlclose(plugin) == 0);
            exit(0);
        }
        check_child(child);
        if (plugin)
            CHECK(dlclose(plugin) == 0);
        churn_once((uint64_t)turn, 100);
    }
    stop = 1;
    pthread_join(thread, NULL);
    return 0;
}
