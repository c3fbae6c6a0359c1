/*
 * mallinfo2 counts a block of 64 MiB as one with a mapping of its own while it lives.
 */
#include "../lib/heap.h"

int main(void)
{
    free(malloc(1));
    struct mallinfo2 start = mallinfo2();
    char *block = malloc(64 * MIB), *other = malloc(100 * MIB);
    CHECK(block && other);
    struct mallinfo2 full = mallinfo2();
    CHECK(full.hblks == start.hblks + 2);
    CHECK(full.hblkhd >= start.hblkhd + 164 * MIB && full.hblkhd < start.hblkhd + 165 * MIB);
    CHECK(full.uordblks < start.uordblks + MIB);
    block = realloc(block, 200 * MIB);
    CHECK(block && mallinfo2().hblkhd >= start.hblkhd + 300 * MIB);
    free(other);
    free(block);
    struct mallinfo2 end = mallinfo2();
    CHECK(end.hblks == start.hblks && end.hblkhd == start.hblkhd);
    return 0;
}
