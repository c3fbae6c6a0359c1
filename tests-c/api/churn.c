/*
 * Contents stay intact under random allocation, realloc and freeing of 1 byte to 8 MiB.
 * force: slab buddy system arena
 */
#include "../lib/churn.h"

int main(void)
{
    static struct slot slots[1000];
    churn(slots, 1000, 8 * MIB, 60000, 1);
    churn_end(slots, 1000);
    churn(slots, 50, 8 * MIB, 10000, 2);
    churn_end(slots, 50);
    return 0;
}
