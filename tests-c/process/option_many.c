/*
 * Many bad options and variables at once are reported in one line in all.
 * only: lohalloc
 * env: LOHALLOC_OPTIONS=a:1,b:2,c:3,force:x
 * env: LOHALLOC_X=1
 * env: LOHALLOC_Y=2
 * stderr: ^lohalloc: 
 */
#include "../lib/churn.h"

int main(void)
{
    churn_once(1, 1000);
    return 0;
}
