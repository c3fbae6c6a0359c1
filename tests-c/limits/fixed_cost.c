/*
 * A process that allocates next to nothing holds next to nothing, however large the machine's huge pages are.
 */
#include "../lib/exhaust.h"

int main(void)
{
    size_t held = status_bytes("VmRSS:"), writable = status_bytes("VmData:");
    for (size_t size = 1; size < 200 * KIB; size *= 2) {
        char *block = malloc(size);
        CHECK(block);
        block[0] = 1;
        free(block);
    }
    size_t more = status_bytes("VmRSS:") - held;
    if (more > 2 * MIB)
        FAIL("%zu KiB more are resident", more / KIB);
    if (held > 8 * MIB || writable > 16 * MIB)
        FAIL("%zu KiB resident and %zu KiB writable at the start", held / KIB, writable / KIB);
    return 0;
}
