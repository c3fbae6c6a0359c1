/*
 * realloc of a big block to a small size gives the tail back to the system.
 */
#include "../lib/test.h"

int main(void)
{
    static char *blocks[4];
    size_t start = resident();
    for (int i = 0; i < 4; i++) {
        CHECK(blocks[i] = malloc(64 * MIB));
        fill(blocks[i], 64 * MIB, (uint64_t)i);
    }
    CHECK(resident() > start + 250 * MIB);
    for (int i = 0; i < 4; i++) {
        CHECK(blocks[i] = realloc(blocks[i], 1 * MIB));
        CHECK(filled_part(blocks[i], 64 * MIB, 1 * MIB, (uint64_t)i));
    }
    CHECK(resident() < start + 40 * MIB);
    for (int i = 0; i < 4; i++)
        free(blocks[i]);
    return 0;
}
