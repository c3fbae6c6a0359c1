/*
 * A free inside a small block stops the process and names the block.
 * only: lohalloc
 * signal: ABRT
 * stderr: ^lohalloc: free of 0x[0-9a-f]+, which is inside a block of [0-9]+ bytes that starts at 0x[0-9a-f]+$
 * force: arena
 */
#include "../lib/test.h"

int main(void)
{
    char *block = malloc(200);
    free((char *)hide(block) + 16);
    return 0;
}
