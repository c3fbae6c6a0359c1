/*
 * After a peak of 500 MB in small blocks (64 to 256 bytes), freed at random, the idle process keeps at most 5 % of it and 4 MiB.
 * only: lohalloc
 */
#include "../lib/peak.h"

int main(void)
{
    peak(64, 256, 1);
    return 0;
}
