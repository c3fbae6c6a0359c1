/*
 * lohalloc_stats tells figures that follow what the program does, and serves callers of older and newer versions.
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
    free(malloc(100));
    CHECK(lohalloc_stats(NULL, sizeof none) == EINVAL);
    CHECK(lohalloc_stats(&none, 0) == EINVAL);
    /* A caller of an older version gets the fields that it knows, one of a newer version zeros. */
    struct { struct lohalloc_stats known; size_t more[8]; } newer;
    memset(&none, 0xee, sizeof none);
    CHECK(lohalloc_stats(&none, sizeof(size_t)) == 0);
    CHECK(none.mapped_bytes > 0 && none.mapped_bytes != (size_t)0xeeeeeeeeeeeeeeee);
    CHECK(none.span_bytes == (size_t)0xeeeeeeeeeeeeeeee);
    memset(&newer, 0xee, sizeof newer);
    CHECK(lohalloc_stats(&newer.known, sizeof newer) == 0);
    CHECK(newer.known.mapped_bytes > 0 && newer.more[0] == 0 && newer.more[7] == 0);
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
    void *big = malloc(MIB);
    CHECK(big && now().large_blocks + now().system_blocks > end.large_blocks + end.system_blocks);
    free(big);
    for (int i = 0; i < 20; i++)
        run_thread_body(body, NULL);
    CHECK(now().heaps <= start.heaps + 20);
    return 0;
}
