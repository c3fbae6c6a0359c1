/*
 * A free of a block whose top byte was changed stops the process.
 * only: lohalloc
 * signal: ABRT
 * stderr: ^lohalloc: free of 0x[0-9a-f]+, which no allocator of this process gave out$
 */
#include "../lib/test.h"

int main(void)
{
    char *block = malloc(64);
    free(hide((void *)((uintptr_t)block | (uintptr_t)0xa5 << 56)));
    return 0;
}
