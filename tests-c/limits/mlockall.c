/*
 * With all memory locked as it is mapped, within the limit: requests end with ENOMEM, and what is freed serves again.
 * only: lohalloc
 */
#include "../lib/exhaust.h"

int main(void)
{
    struct rlimit limit;
    CHECK(getrlimit(RLIMIT_MEMLOCK, &limit) == 0);
    if (limit.rlim_max < 8 * MIB)
        SKIP("no 8 MiB may be locked here");
    if (limit.rlim_max > 48 * MIB)
        set_limit(RLIMIT_MEMLOCK, 48 * MIB);
    /* The limit does not bind root. */
    if (getuid() == 0)
        CHECK(setgid(65534) == 0 && setuid(65534) == 0);
    struct taken taken = taken_new(100000);
    if (mlockall(MCL_FUTURE))
        SKIP("mlockall is refused here");
    size_t first[WAYS];
    for (int turn = 0; turn < 3; turn++)
        for (int way = 0; way < WAYS; way++) {
            if (take(&taken, (enum way)way, 100 * MIB))
                SKIP("the limit of locked memory does not bind this process");
            if (turn == 0)
                first[way] = taken.bytes;
            else if (taken.bytes < first[way] / 2)
                FAIL("%s: only %zu KiB in turn %d, %zu at first", way_names[way], taken.bytes / KIB, turn,
                     first[way] / KIB);
            free_taken(&taken);
        }
    return 0;
}
