/*
 * A block of a thread that ended, freed twice by main, stops the process.
 * only: lohalloc
 * signal: ABRT
 * stderr: (^lohalloc: double free of 0x[0-9a-f]+ \(block of [0-9]+ bytes\)$|^lohalloc: free of 0x[0-9a-f]+, which no allocator of this process gave out$)
 */
#include "../lib/test.h"

static void *body(void *argument)
{
    void **blocks = argument;
    blocks[0] = malloc(100);
    blocks[1] = malloc(100);
    return NULL;
}

int main(void)
{
    void *blocks[2];
    run_thread_body(body, blocks);
    free(blocks[0]);
    free(hide(blocks[0]));
    return 0;
}
