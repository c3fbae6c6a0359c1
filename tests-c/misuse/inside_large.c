/*
 * A free inside a large block stops the process.
 * only: lohalloc
 * signal: ABRT
 * stderr: ^lohalloc: free of 0x[0-9a-f]+, which is inside a block of [0-9]+ bytes that starts at 0x[0-9a-f]+$
 */
#include "../lib/test.h"

int main(void)
{
    char *block = malloc(500 * KIB);
    free((char *)hide(block) + 64 * KIB);
    return 0;
}
