/*
 * A program that replaces only operator new(size_t, nothrow) has it called for itself alone.
 */
#include "../lib/test.h"
#include <new>

static int made;

void *operator new(size_t size, const std::nothrow_t &) noexcept
{
    made++;
    /* The usual delete frees it. */
    return operator new(size);
}

int main()
{
    for (size_t size = 1; size < 100000; size *= 3) {
        int before = made;
        operator delete(hide(operator new(size)));
        operator delete[](hide(operator new[](size)), size);
        operator delete[](hide(operator new[](size, std::nothrow)));
        CHECK(made == before);
        operator delete(hide(operator new(size, std::nothrow)), size);
        CHECK(made == before + 1);
    }
    return 0;
}
