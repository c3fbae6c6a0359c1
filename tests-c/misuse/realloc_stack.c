/*
 * realloc of a local variable stops the process.
 * only: lohalloc
 * signal: ABRT
 * stderr: ^lohalloc: realloc of 0x[0-9a-f]+, which no allocator of this process gave out$
 */
#include "../lib/test.h"

int main(void)
{
    char bytes[256] __attribute__((aligned(16)));
    memset(bytes, 0, sizeof bytes);
    CHECK(realloc(hide(bytes + 16), 300));
    return 0;
}
