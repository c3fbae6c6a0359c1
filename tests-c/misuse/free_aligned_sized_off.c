/*
 * free_aligned_sized of a block that is not aligned like that stops the process.
 * only: lohalloc
 * ways: so a
 * signal: ABRT
 * stderr: ^lohalloc: free of 0x[0-9a-f]+ as aligned to 4096, which it is not$
 */
#include "../lib/test.h"
#include <lohalloc.h>

int main(void)
{
    char *block = aligned_alloc(64, 100);
    while ((uintptr_t)block % 4096 == 0)
        block = aligned_alloc(64, 100);
    free_aligned_sized(hide(block), 4096, 100);
    return 0;
}
