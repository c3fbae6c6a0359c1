/*
 * Empty options are no mistake and say nothing.
 * env: LOHALLOC_OPTIONS=
 * env: LOHALLOC_STATS=
 * env: LOHALLOC_VERBOSE=
 */
#include "../lib/churn.h"

int main(void)
{
    churn_once(1, 1000);
    return 0;
}
