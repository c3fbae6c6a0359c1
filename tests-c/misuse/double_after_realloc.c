/*
 * The old block of a realloc that moved, when it is freed, stops the process.
 * only: lohalloc
 * signal: ABRT
 * stderr: ^lohalloc: (double )?free of 0x
 */
#include "../lib/test.h"

int main(void)
{
    char *block = malloc(40), *behind = malloc(40), *moved = realloc(block, 100000);
    CHECK(moved != hide(block));
    free(hide(block));
    free(behind);
    return 0;
}
