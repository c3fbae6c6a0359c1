/*
 * realloc of a freed block stops the process.
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
    CHECK(realloc(hide(block), 300));
    free(other);
    return 0;
}
