/*
 * malloc_info tells that its stream does not take what it writes, and that there is none.
 * only: lohalloc
 */
#include "../lib/test.h"

int main(void)
{
    FILE *file = fopen("/dev/full", "w");
    CHECK(file && setvbuf(file, NULL, _IONBF, 0) == 0);
    CHECK(malloc_info(0, file) == EIO);
    fclose(file);
    CHECK(malloc_info(0, NULL) == EINVAL);
    free(malloc(1));
    return 0;
}
