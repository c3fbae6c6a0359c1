/*
 * malloc_usable_size of a pointer inside a block stops the process.
 * only: lohalloc
 * signal: ABRT
 * stderr: ^lohalloc: malloc_usable_size of 0x[0-9a-f]+, which is inside a block of [0-9]+ bytes that starts at 0x[0-9a-f]+$
 * force: arena
 */
#include "../lib/test.h"

int main(void)
{
    char *block = malloc(200);
    CHECK(malloc_usable_size((char *)hide(block) + 32));
    return 0;
}
