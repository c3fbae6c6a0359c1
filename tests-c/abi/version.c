/*
 * The library tells its version.
 * only: lohalloc
 * ways: so a
 */
#include "../lib/test.h"
#include <lohalloc.h>

int main(void)
{
    free(malloc(1));
    CHECK(strcmp(lohalloc_version(), "0.1.0") == 0);
    CHECK(lohalloc_version() == lohalloc_version());
    return 0;
}
