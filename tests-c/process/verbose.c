/*
 * LOHALLOC_VERBOSE=1 says one line at the start.
 * only: lohalloc
 * env: LOHALLOC_VERBOSE=1
 * stderr: ^lohalloc 0\.1\.0:
 */
#include "../lib/churn.h"

int main(void)
{
    churn_once(1, 1000);
    return 0;
}
