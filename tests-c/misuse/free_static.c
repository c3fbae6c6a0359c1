/*
 * A free of a static variable stops the process.
 * signal: ABRT
 * stderr: ^lohalloc: free of 0x[0-9a-f]+, which no allocator of this process gave out$
 */
#include "../lib/test.h"

static char bytes[4096] __attribute__((aligned(16)));

int main(void)
{
    free(hide(bytes + 1024));
    return 0;
}
