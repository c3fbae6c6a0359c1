/*
 * mallinfo tells what mallinfo2 tells, and INT_MAX for what does not fit.
 * only: lohalloc
 */
#include "../lib/test.h"
#include <limits.h>
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

int main(void)
{
    void *blocks[100];
    for (int i = 0; i < 100; i++)
        CHECK(blocks[i] = malloc((size_t)i * 1000));
    void *big = malloc(64 * MIB);
    struct mallinfo2 wide = mallinfo2();
    struct mallinfo narrow = mallinfo();
    CHECK((size_t)narrow.arena == wide.arena && (size_t)narrow.ordblks == wide.ordblks);
    CHECK((size_t)narrow.smblks == wide.smblks && (size_t)narrow.hblks == wide.hblks);
    CHECK((size_t)narrow.hblkhd == wide.hblkhd && (size_t)narrow.usmblks == wide.usmblks);
    CHECK((size_t)narrow.fsmblks == wide.fsmblks && (size_t)narrow.uordblks == wide.uordblks);
    CHECK((size_t)narrow.fordblks == wide.fordblks && (size_t)narrow.keepcost == wide.keepcost);
    CHECK(narrow.hblks == 1);
    /* Addresses alone: not touched. */
    void *huge = malloc((size_t)5 << 30);
    if (!huge)
        SKIP("no 5 GiB of addresses");
    CHECK(mallinfo2().hblkhd >= (size_t)5 << 30);
    CHECK(mallinfo().hblkhd == INT_MAX && mallinfo().hblks == 2);
    free(huge);
    free(big);
    CHECK(mallinfo().hblkhd == 0);
    for (int i = 0; i < 100; i++)
        free(blocks[i]);
    return 0;
}
