/*
 * malloc_usable_size of an address of 2^48 or above stops the process.
 * only: lohalloc
 * signal: ABRT
 * stderr: ^lohalloc: malloc_usable_size of 0x[0-9a-f]+, which no allocator of this process gave out$
 */
#include "../lib/test.h"

int main(void)
{
    CHECK(malloc_usable_size(hide((void *)(uintptr_t)UINT64_C(0x0001000000000000))));
    return 0;
}
