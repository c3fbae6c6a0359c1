/*
 * A free of initialised data stops the process.
 * signal: ABRT
 * stderr: ^lohalloc: free of 0x[0-9a-f]+, which no allocator of this process gave out$
 */
#include "../lib/test.h"

static char bytes[64] __attribute__((aligned(16))) = "initialised";

int main(void)
{
    free(hide(bytes + 16));
    return 0;
}
