/*
 * A model that cannot be written is reported in one line at the end.
 * only: lohalloc
 * ways: preload
 * env: LOHALLOC_TRAIN=/nonexistent/model
 * stderr: ^lohalloc: cannot write LOHALLOC_TRAIN to '/nonexistent/model': no such file or directory; what was learned is lost$
 */
#include "../lib/churn.h"

int main(void)
{
    churn_once(1, 1000);
    return 0;
}
