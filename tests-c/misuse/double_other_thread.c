/*
 * A block that its owner freed and another thread frees again stops the process.
 * only: lohalloc
 * signal: ABRT
 * stderr: ^lohalloc: double free of 0x[0-9a-f]+ \(block of [0-9]+ bytes\)$
 * force: arena
 */
#include "../lib/test.h"

static void *body(void *block)
{
    free(block);
    return NULL;
}

int main(void)
{
    char *block = malloc(64), *other = malloc(64);
    free(block);
    run_thread_body(body, hide(block));
    free(other);
    return 0;
}
