/*
 * LOHALLOC_STATS with the path of a directory costs one line and leaves the program alone.
 * only: lohalloc
 * env: LOHALLOC_STATS=/
 * stderr: ^lohalloc: 
 */
#include "../lib/churn.h"

int main(void)
{
    churn_once(1, 1000);
    return 0;
}
