/*
 * A program that replaces only operator new[] and delete[] sees the array forms go through them, and no others.
 */
#include "../lib/test.h"
#include <new>

static int made, gone;

void *operator new[](size_t size)
{
    made++;
    char *block = (char *)malloc(size + 32);
    if (!block)
        throw std::bad_alloc();
    block[0] = 7;
    return block + 32;
}

void operator delete[](void *pointer) noexcept
{
    gone++;
    CHECK(((char *)pointer)[-32] == 7);
    free((char *)pointer - 32);
}

#define ONCE(expression)                                                       \
    do {                                                                       \
        int before_made = made, before_gone = gone;                            \
        expression;                                                            \
        CHECK(made == before_made + 1);                                        \
        CHECK(gone == before_gone + 1);                                        \
    } while (0)

int main()
{
    std::align_val_t to = std::align_val_t(64);
    for (size_t size = 1; size < 100000; size *= 3) {
        ONCE(operator delete[](hide(operator new[](size)), size));
        ONCE(operator delete[](hide(operator new[](size)), std::nothrow));
        ONCE(operator delete[](hide(operator new[](size, std::nothrow))));
        ONCE(delete[] (char *)hide(new char[size]));
        int before = made + gone;
        operator delete(hide(operator new(size)));
        operator delete(hide(operator new(size, std::nothrow)), size);
        operator delete[](hide(operator new[](size, to)), to);
        operator delete[](hide(operator new[](size, to, std::nothrow)), size, to);
        CHECK(made + gone == before);
    }
    return 0;
}
