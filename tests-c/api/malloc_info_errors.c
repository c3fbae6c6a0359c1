/*
 * malloc_info answers EINVAL for options and writes nothing then.
 */
#include "../lib/test.h"

int main(void)
{
    char text[100] = "";
    FILE *file = fmemopen(text, sizeof text, "w");
    CHECK(file);
    CHECK(malloc_info(1, file) == EINVAL);
    CHECK(malloc_info(-1, file) == EINVAL);
    CHECK(fclose(file) == 0 && text[0] == 0);
    return 0;
}
