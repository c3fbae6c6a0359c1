/*
 * realloc of a big block moves its memory and does not copy it: the peak is one block, not two.
 */
#include "../lib/test.h"

int main(void)
{
    size_t start = resident();
    char *block = malloc(200 * MIB);
    CHECK(block);
    fill(block, 200 * MIB, 5);
    /* Something behind it, so that it cannot simply grow in place. */
    char *behind = malloc(200 * MIB);
    CHECK(behind);
    block = realloc(block, 400 * MIB);
    CHECK(block && filled_part(block, 200 * MIB, 200 * MIB, 5));
    CHECK(status_bytes("VmHWM:") < start + 240 * MIB);
    block = realloc(block, 600 * MIB);
    CHECK(block && filled_part(block, 200 * MIB, 200 * MIB, 5));
    CHECK(status_bytes("VmHWM:") < start + 240 * MIB);
    free(block);
    free(behind);
    return 0;
}
