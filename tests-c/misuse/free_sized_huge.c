/*
 * free_sized of a large block with more bytes than it has stops the process.
 * only: lohalloc
 * ways: so a
 * signal: ABRT
 * stderr: ^lohalloc: free of 0x[0-9a-f]+ as 73400320 bytes, which is a block of 67108864 bytes$
 */
#include "../lib/test.h"
#include <lohalloc.h>

int main(void)
{
    free_sized(hide(malloc(64 * MIB)), 70 * MIB);
    return 0;
}
