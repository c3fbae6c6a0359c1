/*
 * malloc_usable_size of a local variable stops the process.
 * only: lohalloc
 * signal: ABRT
 * stderr: ^lohalloc: malloc_usable_size of 0x[0-9a-f]+, which no allocator of this process gave out$
 */
#include "../lib/test.h"

int main(void)
{
    char bytes[256] __attribute__((aligned(16)));
    memset(bytes, 0, sizeof bytes);
    CHECK(malloc_usable_size(hide(bytes + 16)));
    return 0;
}
