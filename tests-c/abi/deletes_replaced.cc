/*
 * A program that replaces only operator delete(void*) sees all deletes without an alignment go through it, NULL too.
 */
#include "../lib/test.h"
#include <new>

static int gone;

void operator delete(void *pointer) noexcept
{
    gone++;
    /* The usual operator new takes its memory from malloc. */
    free(pointer);
}

#define ONCE(expression)                                                       \
    do {                                                                       \
        int before = gone;                                                     \
        expression;                                                            \
        CHECK(gone == before + 1);                                             \
    } while (0)

int main()
{
    for (size_t size = 1; size < 20 * MIB; size = size * 3 + 1) {
        ONCE(operator delete(hide(operator new(size))));
        ONCE(operator delete(hide(operator new(size)), size));
        ONCE(operator delete(hide(operator new(size, std::nothrow)), std::nothrow));
        ONCE(operator delete[](hide(operator new[](size))));
        ONCE(operator delete[](hide(operator new[](size)), size));
        ONCE(operator delete[](hide(operator new[](size, std::nothrow)), std::nothrow));
    }
    ONCE(operator delete[](nullptr));
    return 0;
}
