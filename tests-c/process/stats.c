/*
 * LOHALLOC_STATS=1 says one line at the end, with a served count that is not zero.
 * only: lohalloc
 * env: LOHALLOC_STATS=1
 * stderr: ^lohalloc: served [1-9][0-9]* blocks, mapped [1-9][0-9]* KiB
 */
#include "../lib/churn.h"

int main(void)
{
    churn_once(1, 1000);
    return 0;
}
