/*
 * After a peak of 500 MB in 1 MiB blocks, the idle process keeps at most 5 % of it and 4 MiB.
 */
#include "../lib/peak.h"

int main(void)
{
    peak(MIB, MIB, 1);
    return 0;
}
