/*
 * Big blocks of ever new sizes that come and go use the memory again that was freed before.
 * only: lohalloc
 */
#include "../lib/recurs.h"

int main(void)
{
    recurs((struct recurs){
        .slots = 3, .turns = 400, .low = 10 * MIB, .high = 40 * MIB, .share = 40, .most = 180 * MIB});
    return 0;
}
