/*
 * A free of NULL + 16 stops the process with a message and not by a fault.
 * only: lohalloc
 * signal: ABRT
 * stderr: ^lohalloc: free of 0x[0-9a-f]+, which no allocator of this process gave out$
 */
#include "../lib/test.h"

int main(void)
{
    free(hide((void *)16));
    return 0;
}
