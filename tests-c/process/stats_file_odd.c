/*
 * LOHALLOC_STATS with a path that cannot be written costs one line and leaves the program alone.
 * only: lohalloc
 * env: LOHALLOC_STATS=/nonexistent/file
 * stderr: ^lohalloc: .*nonexistent
 */
#include "../lib/churn.h"

int main(void)
{
    churn_once(1, 1000);
    return 0;
}
