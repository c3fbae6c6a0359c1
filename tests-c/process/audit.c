/*
 * A process with an auditor of its loader (LD_AUDIT), which allocates too, works, with threads and plugins.
 * plugin: audit
 */
#include "../lib/again.h"
#include "../lib/churn.h"
#include <dlfcn.h>

static void *body(void *argument)
{
    churn_once((uint64_t)argument, 500);
    return NULL;
}

int main(int count, char **arguments)
{
    if (count == 2) {
        CHECK(setenv("LD_AUDIT", arguments[1], 1) == 0);
        again(arguments, "audited");
        return 0;
    }
    CHECK(count == 3);
    churn_once(1, 1000);
    for (size_t i = 0; i < 20; i++) {
        run_thread_body(body, (void *)i);
        /* Loaded by the program and bound under the auditor's eyes. */
        void *plugin = dlopen(arguments[2], RTLD_NOW);
        CHECK(plugin && dlclose(plugin) == 0);
    }
    return 0;
}
