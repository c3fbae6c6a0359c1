/*
 * A program with an unlimited stack, for which the kernel lays out addresses upwards, allocates and makes threads.
 */
#include "../lib/exhaust.h"

int main(int count, char **arguments)
{
    if (count == 1) {
        struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
        if (setrlimit(RLIMIT_STACK, &limit))
            SKIP("the stack may not be unlimited here");
        restart_with(RLIMIT_CORE, 0, arguments);
    }
    struct taken taken = taken_new(1000000);
    for (int way = 0; way < WAYS; way++) {
        CHECK(take(&taken, (enum way)way, 30 * MIB));
        run_thread_body(touch_heap, NULL);
        free_taken(&taken);
    }
    char *block = malloc(300 * MIB);
    CHECK(block);
    block = realloc(block, 900 * MIB);
    CHECK(block);
    free(block);
    return 0;
}
