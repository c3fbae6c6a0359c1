/*
 * Under RLIMIT_AS small blocks end with NULL and ENOMEM, keep their bytes, and once freed can be had again.
 * only: lohalloc
 */
#include "../lib/limits.h"

int main(void)
{
    static const struct {
        size_t limit, size;
    } cases[] = {{3 * MIB, 16}, {3 * MIB, 1000}, {6 * MIB, 200}, {64 * MIB, 64}};
    free(malloc(100));
    thread_works(64 * KIB);
    for (size_t i = 0; i < COUNT(cases); i++) {
        limit_to(RLIMIT_AS, cases[i].limit);
        exhaust(cases[i].size, cases[i].limit, malloc, 64 * KIB);
        limit_lift(RLIMIT_AS);
    }
    return 0;
}
