/*
 * malloc and free work in the constructors of the program with the highest priority, and blocks live on into main.
 */
#include "../lib/churn.h"

static struct slot early[20], first[20], second[20];

static void before_libraries(void)
{
    churn(early, 20, 256 * KIB, 500, 1);
}

__attribute__((section(".preinit_array"), used)) static void (*const entry)(void) = before_libraries;

__attribute__((constructor(101))) static void constructor_101(void)
{
    churn(first, 20, 256 * KIB, 500, 2);
}

__attribute__((constructor)) static void constructor(void)
{
    churn(second, 20, 256 * KIB, 500, 3);
    churn(early, 20, 256 * KIB, 500, 4);
}

int main(void)
{
    churn(first, 20, 256 * KIB, 500, 5);
    churn_end(early, 20);
    churn_end(first, 20);
    churn_end(second, 20);
    return 0;
}
