/*
 * realloc of an address of 2^48 or above stops the process.
 * only: lohalloc
 * signal: ABRT
 * stderr: ^lohalloc: realloc of 0x[0-9a-f]+, which no allocator of this process gave out$
 */
#include "../lib/test.h"

int main(void)
{
    CHECK(realloc(hide((void *)(uintptr_t)UINT64_C(0x0001000000000000)), 300));
    return 0;
}
