/*
 * With 64 MiB of addresses left, at least half can be had in every way, again and again, and a default thread after it.
 * timeout: 60
 */
#include "../lib/exhaust.h"

int main(void)
{
    struct taken taken = taken_new(1000000);
    check_thread(8 * MIB);
    set_limit(RLIMIT_AS, status_bytes("VmSize:") + 64 * MIB);
    for (int turn = 0; turn < 2; turn++)
        for (int way = 0; way < WAYS; way++) {
            CHECK(!take(&taken, (enum way)way, SIZE_MAX));
            if (taken.bytes < 32 * MIB)
                FAIL("%s: only %zu KiB in turn %d", way_names[way], taken.bytes / KIB, turn);
            free_taken(&taken);
            check_thread(8 * MIB);
        }
    return 0;
}
