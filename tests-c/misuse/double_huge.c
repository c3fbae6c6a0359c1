/*
 * A huge block that is freed twice stops the process.
 * only: lohalloc
 * signal: ABRT
 * stderr: (^lohalloc: double free of 0x[0-9a-f]+ \(block of [0-9]+ bytes\)$|^lohalloc: free of 0x[0-9a-f]+, which no allocator of this process gave out$|^free\(\): invalid pointer$)
 */
#include "../lib/test.h"

int main(void)
{
    char *block = malloc(200 * MIB);
    free(block);
    free(hide(block));
    return 0;
}
