/*
 * A variable that the library does not know is reported in one line and ignored.
 * only: lohalloc
 * env: LOHALLOC_NO_SUCH_VARIABLE=1
 * stderr: ^lohalloc: .*LOHALLOC_NO_SUCH_VARIABLE
 */
#include "../lib/churn.h"

int main(void)
{
    churn_once(1, 1000);
    return 0;
}
