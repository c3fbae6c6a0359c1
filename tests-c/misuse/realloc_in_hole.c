/*
 * realloc of a block that was freed, and whose memory went back, stops the process.
 * only: lohalloc
 * signal: ABRT
 * stderr: ^lohalloc: realloc of 0x[0-9a-f]+, which is free$
 */
#include "../lib/trim.h"

int main(void)
{
    enum { BLOCKS = 1000 };
    static char *blocks[BLOCKS];
    for (int i = 0; i < BLOCKS; i++)
        CHECK(blocks[i] = hide(malloc(200)));
    for (int i = 1; i < BLOCKS - 1; i++)
        if (i % 100)
            free(blocks[i]);
    trim();
    return realloc(blocks[150], 5000) == NULL;
}
