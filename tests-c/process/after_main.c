/*
 * atexit handlers, on_exit handlers and destructors may allocate and free after main.
 */
#include "../lib/churn.h"

static struct slot slots[40];

static void handler(void)
{
    churn(slots, 40, 256 * KIB, 500, 2);
}

static void late(int status, void *argument)
{
    CHECK(status == 0 && argument == slots);
    churn(slots, 40, 256 * KIB, 500, 3);
    CHECK(atexit(handler) == 0);
}

__attribute__((destructor)) static void destructor(void)
{
    churn(slots, 40, 256 * KIB, 500, 4);
}

__attribute__((destructor(101))) static void last(void)
{
    churn(slots, 40, 256 * KIB, 500, 5);
    churn_end(slots, 40);
}

int main(void)
{
    churn(slots, 40, 256 * KIB, 500, 1);
    /* More than the 32 entries that glibc has without malloc. */
    for (int i = 0; i < 100; i++)
        CHECK(atexit(handler) == 0);
    CHECK(on_exit(late, slots) == 0);
    return 0;
}
