/*
 * After a peak of 500 MB in 100 KiB blocks, the idle process keeps at most 5 % of it and 4 MiB.
 */
#include "../lib/peak.h"

int main(void)
{
    peak(100 * KIB, 100 * KIB, 1);
    return 0;
}
