/*
 * A model that is not there is reported in one line, and the program runs untrained.
 * only: lohalloc
 * ways: preload
 * env: LOHALLOC_MODEL=/nonexistent/model
 * stderr: ^lohalloc: cannot read the model '/nonexistent/model': no such file or directory; ignored, running untrained$
 */
#include "../lib/churn.h"

int main(void)
{
    churn_once(1, 1000);
    return 0;
}
