/*
 * An aligned block that is freed twice stops the process.
 * only: lohalloc
 * signal: ABRT
 * stderr: (^lohalloc: double free of 0x[0-9a-f]+ \(block of [0-9]+ bytes\)$|^lohalloc: free of 0x[0-9a-f]+, which no allocator of this process gave out$)
 */
#include "../lib/test.h"

int main(void)
{
    void *block = NULL, *other = NULL;
    CHECK(posix_memalign(&block, 256, 500) == 0);
    CHECK(posix_memalign(&other, 256, 500) == 0);
    free(block);
    free(hide(block));
    return 0;
}
