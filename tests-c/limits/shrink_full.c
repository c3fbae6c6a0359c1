/*
 * A block can be made shorter when no memory is left: it keeps its bytes.
 * only: lohalloc
 */
#include "../lib/exhaust.h"

int main(void)
{
    unsigned char *block = (unsigned char *)malloc(200 * KIB);
    CHECK(block);
    fill(block, 200 * KIB, 7);
    set_limit(RLIMIT_AS, status_bytes("VmSize:") + 16 * MIB);
    while (malloc(2000)) {
    }
    block = (unsigned char *)realloc(block, 2000);
    CHECK(block && filled_part(block, 200 * KIB, 2000, 7));
    return 0;
}
