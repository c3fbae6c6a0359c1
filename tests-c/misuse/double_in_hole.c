/*
 * A block that another thread frees again after its memory went back stops the process.
 * only: lohalloc
 * signal: ABRT
 * stderr: ^lohalloc: double free of 0x[0-9a-f]+ \(block of [0-9]+ bytes\)$
 */
#include "../lib/trim.h"

static void *again(void *block)
{
    free(block);
    return NULL;
}

int main(void)
{
    enum { BLOCKS = 1000 };
    static char *blocks[BLOCKS];
    for (int i = 0; i < BLOCKS; i++)
        CHECK(blocks[i] = hide(malloc(200)));
    /* The first and the last stay, so that the pages do. */
    for (int i = 1; i < BLOCKS - 1; i++)
        if (i % 100)
            free(blocks[i]);
    trim();
    run_thread_body(again, blocks[150]);
    return 0;
}
