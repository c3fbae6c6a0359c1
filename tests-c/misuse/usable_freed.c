/*
 * malloc_usable_size of a freed block stops the process.
 * only: lohalloc
 * signal: ABRT
 * stderr: ^lohalloc: .*0x[0-9a-f]+
 * force: arena
 */
#include "../lib/test.h"

int main(void)
{
    char *block = malloc(64), *other = malloc(64);
    free(block);
    CHECK(malloc_usable_size(hide(block)));
    free(other);
    return 0;
}
