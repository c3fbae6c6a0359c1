/*
 * A free of an address of 2^48 or above stops the process with a message and not by a fault.
 * only: lohalloc
 * signal: ABRT
 * stderr: ^lohalloc: free of 0x[0-9a-f]+, which no allocator of this process gave out$
 */
#include "../lib/test.h"

int main(void)
{
    free(hide((void *)(uintptr_t)UINT64_C(0x0001000000000000)));
    return 0;
}
