/*
 * free(NULL) does nothing, and the usable size of NULL is 0.
 */
#include "../lib/test.h"

int main(void)
{
    errno = 7;
    free(hide(NULL));
    CHECK(errno == 7);
    CHECK(malloc_usable_size(hide(NULL)) == 0);
    return 0;
}
