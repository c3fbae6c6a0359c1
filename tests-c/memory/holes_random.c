/*
 * A peak freed at random, of which no free makes a hole, goes back by a trim but for its survivors.
 * only: lohalloc
 */
#include "../lib/survivors.h"

int main(void)
{
    struct survivors s = survivors_build(1000000, 16, 512);
    survivors_free_at_random(&s, 33);
    survivors_check(&s);
    size_t need;
    survivors_say(&s, "after the last free", &need);
    trim();
    survivors_check(&s);
    survivors_fit(&s, 2, 0);
    return 0;
}
