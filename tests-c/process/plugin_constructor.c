/*
 * The constructor of a library that is loaded later may allocate, and so may its destructor.
 * plugin: constructor
 */
#include "../lib/churn.h"
#include <dlfcn.h>

int main(int count, char **arguments)
{
    CHECK(count == 2);
    for (int turn = 0; turn < 100; turn++) {
        void *plugin = dlopen(arguments[1], RTLD_NOW);
        if (!plugin)
            FAIL("%s", dlerror());
        char *(*take)(void) = (char *(*)(void))dlsym(plugin, "plugin_take");
        CHECK(take);
        char *block = take();
        CHECK(strcmp(block, "made by the constructor") == 0);
        CHECK(dlclose(plugin) == 0);
        block = realloc(block, 5000);
        CHECK(block && strcmp(block, "made by the constructor") == 0);
        free(block);
        churn_once((uint64_t)turn, 50);
    }
    return 0;
}
