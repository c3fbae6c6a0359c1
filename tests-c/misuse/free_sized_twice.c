/*
 * free_sized of a block that is free stops the process.
 * only: lohalloc
 * ways: so a
 * signal: ABRT
 * stderr: ^lohalloc: double free of 0x[0-9a-f]+ \(block of [0-9]+ bytes\)$
 */
#include "../lib/test.h"
#include <lohalloc.h>

int main(void)
{
    void *block = malloc(100);
    free_sized(hide(block), 100);
    free_sized(hide(block), 100);
    return 0;
}
