/*
 * Plugins in namespaces of their own (dlmopen), each with its own libc, work beside the library.
 * plugin: constructor
 */
#include "../lib/churn.h"
#include <dlfcn.h>

static char *(*take)(void);

static void *body(void *argument)
{
    CHECK(strcmp(take(), "made by the constructor") == 0);
    churn_once((uint64_t)argument, 200);
    return NULL;
}

int main(int count, char **arguments)
{
    CHECK(count == 2);
    for (size_t turn = 0; turn < 10; turn++) {
        void *plugins[2];
        for (size_t i = 0; i < COUNT(plugins); i++) {
            plugins[i] = dlmopen(LM_ID_NEWLM, arguments[1], RTLD_NOW);
            if (!plugins[i])
                FAIL("%s", dlerror());
            CHECK(take = (char *(*)(void))dlsym(plugins[i], "plugin_take"));
            body((void *)turn);
            run_thread_body(body, (void *)i);
        }
        pid_t child = fork();
        if (child == 0) {
            run_thread_body(body, NULL);
            exit(0);
        }
        check_child(child);
        for (size_t i = 0; i < COUNT(plugins); i++)
            CHECK(dlclose(plugins[i]) == 0);
        churn_once(turn, 200);
    }
    return 0;
}
