/*
 * Of 400 MiB of addresses left nearly all can be had in blocks of 10 MB, not only what fits powers of two.
 */
#include "../lib/exhaust.h"

int main(void)
{
    static char *blocks[100];
    size_t count = 0;
    set_limit(RLIMIT_AS, status_bytes("VmSize:") + 400 * MIB);
    while (count < COUNT(blocks) && (blocks[count] = malloc(10000000)) != NULL)
        blocks[count++][0] = 1;
    if (count < 34)
        FAIL("%zu blocks", count);
    return 0;
}
