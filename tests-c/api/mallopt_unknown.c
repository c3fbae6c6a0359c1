/*
 * mallopt answers 0 for a parameter that nobody knows.
 * only: lohalloc
 */
#include "../lib/test.h"

int main(void)
{
    static const int parameters[] = {0, 5, 6, 100, INT32_MAX, -9, -10, -1000, INT32_MIN};
    for (size_t i = 0; i < COUNT(parameters); i++)
        if (mallopt(parameters[i], 1) != 0)
            FAIL("mallopt(%d)", parameters[i]);
    CHECK(mallopt(M_MMAP_THRESHOLD, -1) == 0);
    CHECK(mallopt(M_MXFAST, -1) == 0);
    free(malloc(1));
    return 0;
}
