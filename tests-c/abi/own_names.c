/*
 * A program may have functions of its own under the names that no standard has.
 */
#define mallinfo2 mallinfo2_of_libc
#define malloc_trim malloc_trim_of_libc
#include "../lib/test.h"
#undef mallinfo2
#undef malloc_trim

static int calls;

size_t malloc_size(int a, int b)
{
    calls++;
    return (size_t)(a * b);
}

int malloc_good_size = 7;

int malloc_trim(size_t pad)
{
    calls++;
    return (int)pad;
}

int mallinfo2(void)
{
    calls++;
    return 3;
}

void free_sized(void *block, size_t size)
{
    calls++;
    memset(block, 0, size);
    free(block);
}

void cfree(void *block)
{
    calls++;
    free(block);
}

int main(void)
{
    CHECK(malloc_size(6, 7) == 42 && malloc_good_size == 7);
    CHECK(malloc_trim(9) == 9 && mallinfo2() == 3);
    free_sized(malloc(10), 10);
    cfree(malloc(10));
    CHECK(calls == 5);
    return 0;
}
