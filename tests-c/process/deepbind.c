/*
 * A plugin opened with RTLD_DEEPBIND frees what libc allocates for it, and host and plugin free for each other.
 * ways: preload so
 * plugin: strings
 */
#include "../lib/churn.h"
#include <dlfcn.h>

int main(int count, char **arguments)
{
    CHECK(count == 2);
    for (int turn = 0; turn < 20; turn++) {
        /* By both functions; the second into the same namespace. */
        int flags = RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND;
        void *plugin = turn % 2 ? dlopen(arguments[1], flags) : dlmopen(LM_ID_BASE, arguments[1], flags);
        if (!plugin)
            FAIL("%s", dlerror());
        char *(*copy)(const char *) = (char *(*)(const char *))dlsym(plugin, "plugin_copy");
        char *(*print)(const char *, int) = (char *(*)(const char *, int))dlsym(plugin, "plugin_print");
        void (*drop)(void *) = (void (*)(void *))dlsym(plugin, "plugin_drop");
        int (*round)(const char *) = (int (*)(const char *))dlsym(plugin, "plugin_round");
        CHECK(copy && print && drop && round);
        for (int i = 0; i < 1000; i++) {
            char text[64];
            snprintf(text, sizeof text, "text %d\n", i);
            char *theirs = copy(text), *line = print(text, i), *ours = strdup(text);
            CHECK(strcmp(theirs, text) == 0 && strcmp(ours, text) == 0);
            theirs = realloc(theirs, 500);
            CHECK(theirs && strcmp(theirs, text) == 0);
            free(theirs);
            free(line);
            drop(ours);
            drop(malloc((size_t)i));
            CHECK(round(text) == (int)strlen(text));
        }
        CHECK(dlclose(plugin) == 0);
    }
    return 0;
}
