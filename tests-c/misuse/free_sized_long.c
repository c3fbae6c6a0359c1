/*
 * free_sized with more bytes than the block has stops the process.
 * only: lohalloc
 * ways: so a
 * signal: ABRT
 * stderr: ^lohalloc: free of 0x[0-9a-f]+ as 200 bytes, which is a block of 112 bytes$
 */
#include "../lib/test.h"
#include <lohalloc.h>

int main(void)
{
    free_sized(hide(malloc(100)), 200);
    return 0;
}
