/*
 * After a peak of 500 MB in 1 KiB blocks, freed at random, the idle process keeps at most 5 % of it and 4 MiB.
 * only: lohalloc
 */
#include "../lib/peak.h"

int main(void)
{
    peak(1024, 1024, 1);
    return 0;
}
