/*
 * Large blocks of mixed sizes that come and go find room between each other, and hold little more than they need.
 */
#include "../lib/recurs.h"

int main(void)
{
    recurs((struct recurs){
        .slots = 256, .turns = 20000, .low = 64 * KIB, .high = MIB, .share = 12, .most = 210 * MIB});
    return 0;
}
