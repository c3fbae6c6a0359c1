/*
 * After a peak of 500 MB in blocks of 32 bytes to 100 KiB, freed at random, the idle process keeps at most 5 % of it and 4 MiB.
 * only: lohalloc
 */
#include "../lib/peak.h"

int main(void)
{
    peak(32, 100 * KIB, 1);
    return 0;
}
