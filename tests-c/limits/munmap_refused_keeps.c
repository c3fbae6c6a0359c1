/*
 * Blocks whose munmap is refused are used again: 300 turns of 20 to 40 MiB leave the address space bounded.
 * only: lohalloc
 */
#include "../lib/exhaust.h"
#include "../lib/seccomp.h"

int main(void)
{
    refuse(SYS_munmap, 0);
    size_t before = status_bytes("VmSize:");
    for (size_t turn = 0; turn < 300; turn++) {
        size_t size = 20 * MIB + turn % 7 * 3 * MIB;
        char *block = malloc(size);
        CHECK(block);
        block[0] = block[size - 1] = 1;
        free(block);
    }
    size_t grown = status_bytes("VmSize:") - before;
    if (grown > 1024 * MIB)
        FAIL("the address space has grown by %zu MiB", grown / MIB);
    if (resident() > 150 * MIB)
        FAIL("%zu MiB are resident", resident() / MIB);
    return 0;
}
