/*
 * Functions that are chosen at load (IFUNC) may be chosen by code that allocates.
 * plugin: ifunc
 * ways: preload so
 */
#include "../lib/churn.h"
#include <dlfcn.h>

static char *made;

static int one(void)
{
    return 1;
}

/* Runs while the loader relocates this program: before every constructor. */
static int (*choose(void))(void)
{
    made = malloc(3000);
    memset(made, 7, 3000);
    for (size_t size = 1; size < 400000; size *= 3)
        free(calloc(1, size));
    return one;
}

int chosen(void) __attribute__((ifunc("choose")));

int main(int count, char **arguments)
{
    CHECK(count == 2);
    CHECK(chosen() == 1 && made[0] == 7 && made[2999] == 7);
    free(made);
    for (int turn = 0; turn < 50; turn++) {
        void *plugin = dlopen(arguments[1], RTLD_NOW);
        if (!plugin)
            FAIL("%s", dlerror());
        int (*chosen_there)(void) = (int (*)(void))dlsym(plugin, "plugin_chosen");
        CHECK(chosen_there && chosen_there() == 1);
        CHECK(dlclose(plugin) == 0);
        churn_once((uint64_t)turn, 50);
    }
    return 0;
}
