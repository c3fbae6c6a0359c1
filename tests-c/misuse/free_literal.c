/*
 * A free of a string literal stops the process.
 * only: lohalloc
 * signal: ABRT
 * stderr: ^lohalloc: free of 0x[0-9a-f]+, which no allocator of this process gave out$
 */
#include "../lib/test.h"

int main(void)
{
    free(hide("a literal"));
    return 0;
}
