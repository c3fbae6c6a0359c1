/*
 * A program that replaces only operator new(size_t) and operator delete(void*) sees all derived forms go through them.
 */
#include "../lib/test.h"
#include <new>
#include <string>

static int made, gone;

void *operator new(size_t size)
{
    made++;
    size_t *block = (size_t *)malloc(size + 16);
    if (!block)
        throw std::bad_alloc();
    block[0] = 0x600d;
    return block + 2;
}

void operator delete(void *pointer) noexcept
{
    if (!pointer)
        return;
    gone++;
    size_t *block = (size_t *)pointer - 2;
    CHECK(block[0] == 0x600d);
    free(block);
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
    for (size_t size = 1; size < 100000; size *= 3) {
        ONCE(operator delete(hide(operator new(size))));
        ONCE(operator delete(hide(operator new(size)), size));
        ONCE(operator delete(hide(operator new(size)), std::nothrow));
        ONCE(operator delete[](hide(operator new[](size))));
        ONCE(operator delete[](hide(operator new[](size)), size));
        ONCE(operator delete[](hide(operator new[](size)), std::nothrow));
        ONCE(operator delete(hide(operator new(size, std::nothrow))));
        ONCE(operator delete[](hide(operator new[](size, std::nothrow))));
        ONCE(operator delete[](hide(operator new[](size, std::nothrow)), std::nothrow));
        ONCE(delete[] (char *)hide(new char[size]));
    }
    int before = made;
    {
        std::string text(1000, (char)65);
        text += std::string(5000, (char)66);
        CHECK(text.size() == 6000);
    }
    CHECK(made > before && made == gone);
    return 0;
}
