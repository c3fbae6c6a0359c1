/*
 * A C++ library with static objects may be opened, used and closed two thousand times, and strands nothing.
 * plugin: objects
 */
#include "../lib/test.h"
#include <dlfcn.h>

int main(int count, char **arguments)
{
    size_t start = 0;
    CHECK(count == 2);
    for (int turn = 0; turn < 2000; turn++) {
        void *plugin = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
        if (!plugin)
            FAIL("%s", dlerror());
        size_t (*sum)(void) = (size_t(*)(void))dlsym(plugin, "plugin_sum");
        CHECK(sum && sum() == 6351);
        CHECK(dlclose(plugin) == 0);
        if (turn == 200)
            start = resident();
    }
    if (resident() > start + 4 * MIB)
        FAIL("resident %zu KiB after 200 turns, %zu KiB after 2000", start / KIB, resident() / KIB);
    return 0;
}
