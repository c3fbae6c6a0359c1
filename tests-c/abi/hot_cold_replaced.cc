/*
 * A program that replaces the plain operators sees the forms with a hint go through them.
 * only: lohalloc
 * ways: so a
 */
#include "../lib/hot_cold.h"

static int made, gone;

static void *make(size_t size, size_t align)
{
    made++;
    char *block = (char *)aligned_alloc(align, size + align);
    if (!block)
        throw std::bad_alloc();
    block[align - 1] = 42;
    return block + align;
}

static void unmake(void *pointer, size_t align)
{
    gone++;
    CHECK(((char *)pointer)[-1] == 42);
    free((char *)pointer - align);
}

void *operator new(size_t size)
{
    return make(size, 16);
}

void operator delete(void *pointer) noexcept
{
    unmake(pointer, 16);
}

void *operator new(size_t size, std::align_val_t align)
{
    return make(size, size_t(align));
}

void operator delete(void *pointer, std::align_val_t align) noexcept
{
    unmake(pointer, size_t(align));
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
    for (__hot_cold_t hint : hints) {
        for (size_t size = 1; size < 100000; size *= 3) {
            ONCE(operator delete(hide(operator new(size, hint)), size));
            ONCE(operator delete[](hide(operator new[](size, hint))));
            ONCE(operator delete(hide(operator new(size, std::nothrow, hint))));
            ONCE(operator delete[](hide(operator new[](size, std::nothrow, hint))));
            ONCE(operator delete(hide(operator new(size, to64, hint)), to64));
            ONCE(operator delete[](hide(operator new[](size, to64, hint)), to64));
            ONCE(operator delete(hide(operator new(size, to8k, std::nothrow, hint)), to8k));
            ONCE(operator delete[](hide(operator new[](size, to8k, std::nothrow, hint)), to8k));
        }
    }
    return 0;
}
