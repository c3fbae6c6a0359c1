/*
 * With all memory locked (mlockall) blocks keep their bytes, calloc gives zeros, and memory is used again.
 */
#include "../lib/churn.h"

static void *body(void *argument)
{
    churn_once((uint64_t)argument, 2000);
    return NULL;
}

static void dirty_then_zero(size_t size, size_t count)
{
    static char *blocks[4096];
    CHECK(count <= COUNT(blocks));
    for (size_t i = 0; i < count; i++) {
        CHECK(blocks[i] = malloc(size));
        memset(blocks[i], 0xa5, size);
    }
    for (size_t i = 0; i < count; i++)
        free(blocks[i]);
    malloc_trim(0);
    for (size_t i = 0; i < count; i++) {
        CHECK(blocks[i] = calloc(1, size));
        CHECK(all_zero(blocks[i], size));
    }
    for (size_t i = 0; i < count; i++)
        free(blocks[i]);
}

int main(void)
{
    churn_once(1, 1000);
    if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0)
        SKIP("mlockall is refused here");
    for (int turn = 0; turn < 2; turn++) {
        dirty_then_zero(1000, 4096);
        dirty_then_zero(50 * KIB, 200);
        dirty_then_zero(MIB, 10);
        dirty_then_zero(9 * MIB, 2);
    }
    size_t peak = status_bytes("VmHWM:");
    for (size_t i = 0; i < 3; i++) {
        run_thread_body(body, (void *)i);
        dirty_then_zero(9 * MIB, 2);
        dirty_then_zero(200 * KIB, 100);
    }
    /* A thread's stack is locked, too. */
    if (status_bytes("VmHWM:") > peak + 64 * MIB)
        FAIL("peak %zu KiB, later %zu KiB", peak / KIB, status_bytes("VmHWM:") / KIB);
    return 0;
}
