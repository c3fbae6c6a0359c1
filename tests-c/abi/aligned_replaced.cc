/*
 * A program that replaces only the aligned operator new and delete sees all aligned forms go through them, and no others.
 */
#include "../lib/test.h"
#include <new>

static int made, gone;

void *operator new(size_t size, std::align_val_t align)
{
    made++;
    char *block = (char *)aligned_alloc(size_t(align), size + 2 * size_t(align));
    if (!block)
        throw std::bad_alloc();
    block[0] = 7;
    return block + size_t(align);
}

void operator delete(void *pointer, std::align_val_t align) noexcept
{
    gone++;
    CHECK(((char *)pointer - size_t(align))[0] == 7);
    free((char *)pointer - size_t(align));
}

#define ONCE(expression)                                                       \
    do {                                                                       \
        int before_made = made, before_gone = gone;                            \
        expression;                                                            \
        CHECK(made == before_made + 1);                                        \
        CHECK(gone == before_gone + 1);                                        \
    } while (0)

struct alignas(128) Wide {
    char bytes[300];
};

int main()
{
    for (size_t align = 32; align < 10000; align *= 4) {
        std::align_val_t to = std::align_val_t(align);
        for (size_t size = 1; size < 100000; size *= 3) {
            ONCE(operator delete(hide(operator new(size, to)), to));
            ONCE(operator delete(hide(operator new(size, to)), size, to));
            ONCE(operator delete(hide(operator new(size, to, std::nothrow)), to, std::nothrow));
            ONCE(operator delete[](hide(operator new[](size, to)), to));
            ONCE(operator delete[](hide(operator new[](size, to)), size, to));
            ONCE(operator delete[](hide(operator new[](size, to, std::nothrow)), to, std::nothrow));
            int before = made + gone;
            operator delete(hide(operator new(size)), size);
            operator delete[](hide(operator new[](size, std::nothrow)));
            CHECK(made + gone == before);
        }
    }
    ONCE(delete (Wide *)hide(new Wide));
    ONCE(delete[] (Wide *)hide(new Wide[3]));
    return 0;
}
