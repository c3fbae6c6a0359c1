/*
 * A free inside the block of another thread stops the process.
 * only: lohalloc
 * signal: ABRT
 * stderr: ^lohalloc: free of 0x[0-9a-f]+, which is inside a block of [0-9]+ bytes that starts at 0x[0-9a-f]+$
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
    char *block = malloc(200);
    run_thread_body(body, (char *)hide(block) + 32);
    return 0;
}
