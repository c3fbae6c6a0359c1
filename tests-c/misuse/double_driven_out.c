/*
 * A block that a thread frees again after it freed another thread's blocks all over the heap stops the process.
 * only: lohalloc
 * signal: ABRT
 * stderr: ^lohalloc: double free of 0x[0-9a-f]+ \(block of [0-9]+ bytes\)$
 */
#include "../lib/test.h"

enum { BLOCKS = 24 * 1024, APART = 1024 };
static char *blocks[BLOCKS];

static void *body(void *unused)
{
    for (size_t i = 0; i < BLOCKS; i += APART)
        free(blocks[i]);
    free(hide(blocks[0]));
    return unused;
}

int main(void)
{
    for (size_t i = 0; i < BLOCKS; i++)
        CHECK(blocks[i] = malloc(64));
    run_thread_body(body, NULL);
    return 0;
}
