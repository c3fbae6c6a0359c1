/*
 * All forms of operator new and delete work together, for every size and alignment.
 */
#include "../lib/test.h"
#include <new>

static const std::align_val_t to64 = std::align_val_t(64), to8k = std::align_val_t(8192);

static void *made(void *block, size_t size, size_t alignment)
{
    CHECK(block && (uintptr_t)block % alignment == 0);
    memset(block, 1, size);
    return hide(block);
}

int main()
{
    for (size_t size = 0; size < 4 * MIB; size = size * 3 + 1) {
        operator delete(made(operator new(size), size, 16));
        operator delete(made(operator new(size), size, 16), size);
        operator delete(made(operator new(size), size, 16), std::nothrow);
        operator delete[](made(operator new[](size), size, 16));
        operator delete[](made(operator new[](size), size, 16), size);
        operator delete[](made(operator new[](size), size, 16), std::nothrow);
        operator delete(made(operator new(size, std::nothrow), size, 16));
        operator delete[](made(operator new[](size, std::nothrow), size, 16));
        operator delete(made(operator new(size, to64), size, 64), to64);
        operator delete(made(operator new(size, to64), size, 64), size, to64);
        operator delete(made(operator new(size, to64), size, 64), to64, std::nothrow);
        operator delete[](made(operator new[](size, to8k), size, 8192), to8k);
        operator delete[](made(operator new[](size, to8k), size, 8192), size, to8k);
        operator delete[](made(operator new[](size, to8k), size, 8192), to8k, std::nothrow);
        operator delete(made(operator new(size, to8k, std::nothrow), size, 8192), to8k);
        operator delete[](made(operator new[](size, to64, std::nothrow), size, 64), to64);
    }
    operator delete(nullptr);
    operator delete[](nullptr);
    operator delete(nullptr, to64);
    void *first = operator new(0), *second = operator new(0);
    CHECK(first != second);
    operator delete(first);
    operator delete(second);
    return 0;
}
