/*
 * After a trim a process holds the OS pages in which a survivor of its peak lies, and hardly more.
 * only: lohalloc
 */
#include "../lib/survivors.h"

int main(void)
{
    struct survivors s = survivors_build(1000000, 16, 512);
    survivors_free(&s, 33);
    trim();
    survivors_check(&s);
    survivors_fit(&s, 2, 0);
    return 0;
}
