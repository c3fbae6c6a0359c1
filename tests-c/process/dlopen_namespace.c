/*
 * A library in a namespace of its own has a libc of its own, and both sides allocate beside each other.
 * plugin: runpath strings
 */
#include "../lib/churn.h"
#include <dlfcn.h>

int main(int count, char **arguments)
{
    static struct slot slots[50];
    CHECK(count == 3);
    churn(slots, 50, 64 * KIB, 1000, 1);
    for (int turn = 0; turn < 10; turn++) {
        void *plugin = dlmopen(LM_ID_NEWLM, arguments[2], RTLD_NOW);
        if (!plugin)
            FAIL("%s", dlerror());
        char *(*copy)(const char *) = (char *(*)(const char *))dlsym(plugin, "plugin_copy");
        void (*drop)(void *) = (void (*)(void *))dlsym(plugin, "plugin_drop");
        int (*round)(const char *) = (int (*)(const char *))dlsym(plugin, "plugin_round");
        CHECK(copy && drop && round);
        for (int i = 0; i < 300; i++) {
            char *theirs = copy("theirs");
            CHECK(strcmp(theirs, "theirs") == 0);
            churn(slots, 50, 64 * KIB, 10, (uint64_t)i);
            drop(theirs);
            CHECK(round("a line\n") == 7);
        }
        CHECK(dlclose(plugin) == 0);
    }
    /* A library there opens others beside itself. */
    void *plugin = dlmopen(LM_ID_NEWLM, arguments[1], RTLD_NOW);
    CHECK(plugin);
    void *(*open)(const char *, int) = (void *(*)(const char *, int))dlsym(plugin, "plugin_open");
    void *strings = open ? open("strings.so", RTLD_NOW) : NULL;
    CHECK(strings && strings != dlopen(arguments[2], RTLD_NOW));
    int (*round)(const char *) = (int (*)(const char *))dlsym(strings, "plugin_round");
    CHECK(round && round("a line\n") == 7);
    churn_end(slots, 50);
    return 0;
}
