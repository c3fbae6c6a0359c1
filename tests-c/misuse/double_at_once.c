/*
 * A block that is freed twice in a row stops the process.
 * signal: ABRT
 * stderr: ^lohalloc: double free of 0x[0-9a-f]+ \(block of [0-9]+ bytes\)$
 * force: arena
 */
#include "../lib/test.h"

int main(void)
{
    char *block = malloc(64);
    free(block);
    free(hide(block));
    return 0;
}
