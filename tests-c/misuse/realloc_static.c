/*
 * realloc of a static variable stops the process.
 * only: lohalloc
 * signal: ABRT
 * stderr: ^lohalloc: realloc of 0x[0-9a-f]+, which no allocator of this process gave out$
 */
#include "../lib/test.h"

static char bytes[4096] __attribute__((aligned(16)));

int main(void)
{
    CHECK(realloc(hide(bytes + 1024), 300));
    return 0;
}
