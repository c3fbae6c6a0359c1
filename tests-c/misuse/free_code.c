/*
 * A free of a function stops the process.
 * only: lohalloc
 * signal: ABRT
 * stderr: ^lohalloc: free of 0x[0-9a-f]+, which no allocator of this process gave out$
 */
#include "../lib/test.h"

int main(void)
{
    free(hide((const void *)(uintptr_t)main));
    return 0;
}
