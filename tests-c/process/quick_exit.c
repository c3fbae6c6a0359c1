/*
 * Handlers of quick_exit may allocate and free, also when another thread calls it.
 */
#include "../lib/churn.h"

static struct slot slots[40];

static void handler(void)
{
    churn(slots, 40, 256 * KIB, 500, 2);
}

static void last(void)
{
    churn_end(slots, 40);
}

static void *body(void *argument)
{
    churn_once(3, 500);
    quick_exit(0);
    return argument;
}

int main(void)
{
    churn(slots, 40, 256 * KIB, 500, 1);
    CHECK(at_quick_exit(last) == 0);
    for (int i = 0; i < 50; i++)
        CHECK(at_quick_exit(handler) == 0);
    run_thread_body(body, NULL);
    FAIL("quick_exit came back");
}
