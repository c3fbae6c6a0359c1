/*
 * An option with a malformed value is reported in one line and ignored.
 * only: lohalloc
 * env: LOHALLOC_OPTIONS=force:nonsense
 * stderr: ^lohalloc: .*(force|nonsense)
 */
#include "../lib/churn.h"

int main(void)
{
    churn_once(1, 1000);
    return 0;
}
