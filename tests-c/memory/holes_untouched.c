/*
 * A peak freed in order but for scattered survivors goes back without any further call.
 * only: lohalloc
 */
#include "../lib/survivors.h"

int main(void)
{
    struct survivors s = survivors_build(1000000, 16, 512);
    survivors_free(&s, 33);
    survivors_check(&s);
    survivors_fit(&s, 5, 8 * MIB);
    return 0;
}
