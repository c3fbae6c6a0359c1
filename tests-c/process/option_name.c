/*
 * An option that the library does not know is reported in one line and ignored.
 * only: lohalloc
 * env: LOHALLOC_OPTIONS=no_such_option:1
 * stderr: ^lohalloc: .*no_such_option
 */
#include "../lib/churn.h"

int main(void)
{
    churn_once(1, 1000);
    return 0;
}
