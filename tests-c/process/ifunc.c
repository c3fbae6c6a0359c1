/*
 * A resolver of an indirect function may allocate and free while the program is still being relocated.
 * ways: preload so
 * flags: -Wl,-z,lazy
 */
#include "../lib/churn.h"

static int one(void)
{
    return 1;
}

static char *made;

__attribute__((used)) static int (*resolve(void))(void)
{
    char *first = malloc(100), *second = calloc(10, 300);
    second = realloc(second, 50000);
    free(first);
    second[0] = 'x';
    made = second;
    return one;
}

int chosen(void) __attribute__((ifunc("resolve")));

int main(void)
{
    CHECK(chosen() == 1);
    CHECK(made && made[0] == 'x' && made[2999] == 0);
    free(made);
    churn_once(1, 1000);
    return 0;
}
