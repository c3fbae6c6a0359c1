/*
 * After a peak of 500 MB in 40 MiB blocks, the idle process keeps at most 5 % of it and 4 MiB.
 */
#include "../lib/peak.h"

int main(void)
{
    peak(40 * MIB, 40 * MIB, 0);
    return 0;
}
