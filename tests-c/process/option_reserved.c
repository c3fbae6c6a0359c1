/*
 * Names that are kept for later are accepted in silence.
 * env: LOHALLOC_TRACE=/nonexistent
 * env: LOHALLOC_CONTROL=0
 */
#include "../lib/churn.h"

int main(void)
{
    churn_once(1, 1000);
    return 0;
}
