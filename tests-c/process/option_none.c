/*
 * The option force:none is accepted in silence.
 * env: LOHALLOC_OPTIONS=force:none
 */
#include "../lib/churn.h"

int main(void)
{
    churn_once(1, 1000);
    return 0;
}
