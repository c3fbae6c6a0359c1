/*
 * malloc_usable_size of a static variable stops the process.
 * only: lohalloc
 * signal: ABRT
 * stderr: ^lohalloc: malloc_usable_size of 0x[0-9a-f]+, which no allocator of this process gave out$
 */
#include "../lib/test.h"

static char bytes[4096] __attribute__((aligned(16)));

int main(void)
{
    CHECK(malloc_usable_size(hide(bytes + 1024)));
    return 0;
}
