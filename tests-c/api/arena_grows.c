/*
 * In an arena the block made last grows and shrinks where it stands, and those in front of it keep their sizes.
 * only: lohalloc
 * env: LOHALLOC_OPTIONS=force:arena
 */
#include "../lib/test.h"

int main(void)
{
    enum { BLOCKS = 2000 };
    static char *blocks[BLOCKS];
    static size_t usable[BLOCKS];
    size_t stayed = 0;
    for (size_t i = 0; i < BLOCKS; i++) {
        char *block = malloc(i % 300 + 1);
        CHECK(block);
        fill(block, i % 300 + 1, i);
        char *grown = realloc(block, 900);
        CHECK(grown && filled(grown, i % 300 + 1, i));
        stayed += grown == block;
        fill(grown, 900, i);
        blocks[i] = realloc(grown, 500);
        CHECK(blocks[i] == grown && malloc_usable_size(grown) == 512);
        usable[i] = malloc_usable_size(blocks[i]);
    }
    /* All but those at the end of a chunk. */
    if (stayed < BLOCKS - BLOCKS / 50)
        FAIL("%zu of %d blocks grew where they stood", stayed, BLOCKS);
    for (size_t i = 0; i < BLOCKS; i++) {
        CHECK(malloc_usable_size(blocks[i]) == usable[i] && filled_part(blocks[i], 900, 500, i));
        if (i + 1 < BLOCKS)
            CHECK(realloc(blocks[i], 512) == blocks[i]);
        free(blocks[i]);
    }
    return 0;
}
