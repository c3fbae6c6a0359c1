/*
 * A server that has learned from other requests holds a fraction of the memory after its peaks.
 * only: lohalloc
 */
#include "../lib/bursts.h"

static size_t after(int bursts, uint64_t seed)
{
    size_t start = resident();
    serve(bursts, seed);
    malloc_trim(0);
    size_t end = resident();
    return end > start ? end - start : 0;
}

int main(void)
{
    size_t untrained = after(8, 1);
    end_sessions();
    CHECK(lohalloc_train_start() == 0);
    serve(12, 2);
    end_sessions();
    CHECK(lohalloc_freeze() == 0);
    CHECK(lohalloc_mode() == INFERENCE);
    malloc_trim(0);
    size_t trained = after(8, 3);
    if (trained > untrained / 3)
        FAIL("untrained %zu KiB stay, trained %zu KiB", untrained / KIB, trained / KIB);
    end_sessions();
    return 0;
}
