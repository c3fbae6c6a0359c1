/*
 * Options that are no list of name:value are reported in one line and ignored.
 * only: lohalloc
 * env: LOHALLOC_OPTIONS=,,force=slab,:,:::
 * stderr: ^lohalloc: 
 */
#include "../lib/churn.h"

int main(void)
{
    churn_once(1, 1000);
    return 0;
}
