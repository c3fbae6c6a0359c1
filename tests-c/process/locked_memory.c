/*
 * A program that locks all its memory, present and future, gets zeroes from calloc and gives memory back.
 */
#include "../lib/churn.h"
#include <sys/resource.h>

int main(void)
{
    static struct slot slots[100];
    struct rlimit limit;
    CHECK(getrlimit(RLIMIT_MEMLOCK, &limit) == 0);
    if (geteuid() != 0 && limit.rlim_cur < 512 * MIB)
        SKIP("this user may not lock as much memory");
    if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0)
        SKIP("this system does not lock memory");
    churn(slots, 100, MIB, 3000, 1);
    for (size_t size = 100; size < 20 * MIB; size *= 3) {
        char *block = malloc(size);
        CHECK(block);
        memset(block, 1, size);
        free(block);
        block = calloc(1, size);
        CHECK(block && all_zero(block, size));
        block = realloc(block, size * 2);
        CHECK(block && all_zero(block, size));
        free(block);
    }
    churn_end(slots, 100);
    return 0;
}
