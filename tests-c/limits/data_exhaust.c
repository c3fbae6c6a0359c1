/*
 * Under RLIMIT_DATA blocks of every size end with NULL and ENOMEM, and once freed can be had again.
 * only: lohalloc
 */
#include "../lib/limits.h"

int main(void)
{
    static const struct {
        size_t limit, size;
    } cases[] = {{6 * MIB, 32},          {6 * MIB, 1000},          {64 * MIB, 64},
                 {6 * MIB, 20 * KIB},    {24 * MIB, 100 * KIB},    {6 * MIB, 300 * KIB},
                 {24 * MIB, 3 * MIB},    {40 * MIB, 16 * MIB - 64}, {40 * MIB, 17 * MIB},
                 {100 * MIB, 40 * MIB}};
    free(malloc(100));
    thread_works(64 * KIB);
    for (size_t i = 0; i < COUNT(cases); i++) {
        limit_to(RLIMIT_DATA, cases[i].limit);
        exhaust(cases[i].size, cases[i].limit, malloc, 64 * KIB);
        limit_lift(RLIMIT_DATA);
    }
    return 0;
}
