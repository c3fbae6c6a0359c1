/*
 * lohalloc_stats tells figures that follow what the program does, and refuses a size that it does not know.
 * only: lohalloc
 * ways: so a
 */
#include "../lib/test.h"
#include <lohalloc.h>

static struct lohalloc_stats now(void)
{
    struct lohalloc_stats stats;
    memset(&stats, 0xee, sizeof stats);
    CHECK(lohalloc_stats(&stats, sizeof stats) == 0);
    return stats;
}

static void *body(void *argument)
{
    free(malloc(100));
    return argument;
}

int main(void)
{
    enum { BLOCKS = 100000 };
    void **blocks = own_memory(BLOCKS * sizeof *blocks);
    struct lohalloc_stats none, start, built, end;
    CHECK(lohalloc_stats(NULL, sizeof none) == EINVAL);
    CHECK(lohalloc_stats(&none, 0) == EINVAL);
    CHECK(lohalloc_stats(&none, SIZE_MAX) == EINVAL);
    free(malloc(100));
    start = now();
    CHECK(start.blocks_handed > 0 && start.mapped_bytes > 0);
    CHECK(start.heaps >= 1 && start.pages >= 1);
    for (int i = 0; i < BLOCKS; i++) {
        CHECK(blocks[i] = malloc(500));
        memset(blocks[i], 1, 500);
    }
    built = now();
    CHECK(built.blocks_handed >= start.blocks_handed + BLOCKS * 9 / 10);
    CHECK(built.span_bytes >= start.span_bytes + BLOCKS * (size_t)500);
    CHECK(built.mapped_bytes >= built.span_bytes);
    CHECK(built.pages > start.pages);
    for (int i = 0; i < BLOCKS; i++)
        free(blocks[i]);
    end = now();
    CHECK(end.span_bytes < start.span_bytes + 10 * MIB);
    CHECK(end.purged_bytes + end.dirty_bytes > start.purged_bytes + 20 * MIB);
    CHECK(end.pages < built.pages);
    void *big = malloc(MIB);
    CHECK(big && now().large_blocks + now().system_blocks > end.large_blocks + end.system_blocks);
    free(big);
    for (int i = 0; i < 20; i++)
        run_thread_body(body, NULL);
    CHECK(now().heaps <= start.heaps + 20);
    return 0;
}
