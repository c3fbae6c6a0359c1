/*
 * calloc of 1 GiB touches nothing: no memory becomes resident until it is written.
 * force: arena
 */
#include "../lib/test.h"

int main(void)
{
    free(malloc(1));
    size_t start = resident();
    char *block = calloc(1, 1024 * MIB);
    CHECK(block);
    CHECK(resident() < start + 2 * MIB);
    CHECK(block[0] == 0 && block[1024 * MIB - 1] == 0);
    free(block);
    for (int turn = 0; turn < 3; turn++) {
        block = calloc(64, MIB);
        CHECK(block);
        CHECK(resident() < start + 4 * MIB);
        free(block);
    }
    return 0;
}
