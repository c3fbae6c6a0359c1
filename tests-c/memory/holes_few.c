/*
 * A peak of which next to nothing survives goes back from its first page on, without any further call.
 * only: lohalloc
 */
#include "../lib/survivors.h"

int main(void)
{
    struct survivors s = survivors_build(1000000, 32, 512);
    survivors_free(&s, 200);
    survivors_check(&s);
    survivors_fit(&s, 5, 7 * MIB);
    return 0;
}
