/*
 * Under RLIMIT_AS medium, large and huge blocks end with NULL and ENOMEM, and once freed can be had again.
 * only: lohalloc
 */
#include "../lib/limits.h"

int main(void)
{
    static const struct {
        size_t limit, size;
    } cases[] = {{4 * MIB, 5000},        {64 * MIB, 20 * KIB},      {4 * MIB, 100 * KIB},
                 {64 * MIB, 300 * KIB},  {4 * MIB, MIB},            {64 * MIB, 3 * MIB},
                 {64 * MIB, 5 * MIB},    {64 * MIB, 16 * MIB - 64}, {64 * MIB, 17 * MIB},
                 {100 * MIB, 40 * MIB}};
    free(malloc(100));
    thread_works(64 * KIB);
    for (size_t i = 0; i < COUNT(cases); i++) {
        limit_to(RLIMIT_AS, cases[i].limit);
        exhaust(cases[i].size, cases[i].limit, malloc, 64 * KIB);
        limit_lift(RLIMIT_AS);
    }
    return 0;
}
