/*
 * A block that one thread frees after another did stops the process.
 * only: lohalloc
 * signal: ABRT
 * stderr: ^lohalloc: double free of 0x[0-9a-f]+ \(block of [0-9]+ bytes\)$
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
    run_thread_body(body, block);
    free(hide(block));
    free(other);
    return 0;
}
