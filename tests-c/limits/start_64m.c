/*
 * With 64 MiB of addresses from the start a third can be had in small blocks, and beside them threads and a quarter in one.
 */
#include "../lib/exhaust.h"

int main(int count, char **arguments)
{
    if (count < 2)
        restart_with(RLIMIT_AS, 64 * MIB, arguments);
    for (size_t taken = 0; taken < 64 * MIB / 3; taken += KIB) {
        char *block = malloc(1000);
        CHECK(block);
        block[0] = 1;
    }
    for (int i = 0; i < 20; i++)
        check_thread(128 * KIB);
    CHECK(malloc(16 * MIB));
    return 0;
}
