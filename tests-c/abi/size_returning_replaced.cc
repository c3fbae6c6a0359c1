/*
 * Where the program replaces operator new, the operators that return a size call it and return what was asked for.
 * only: lohalloc
 * ways: so a
 */
#include "../lib/hot_cold.h"

static int made;

static void *make(size_t size, size_t align)
{
    made++;
    char *block = (char *)aligned_alloc(align, size + align);
    if (!block)
        throw std::bad_alloc();
    return block + align;
}

void *operator new(size_t size)
{
    return make(size, 16);
}

void operator delete(void *pointer) noexcept
{
    free((char *)pointer - 16);
}

void *operator new(size_t size, std::align_val_t align)
{
    return make(size, size_t(align));
}

void operator delete(void *pointer, std::align_val_t align) noexcept
{
    free((char *)pointer - size_t(align));
}

int main()
{
    __hot_cold_t hint = __hot_cold_t(0);
    for (size_t size = 1; size < MIB; size = size * 2 + 1) {
        made = 0;
        __sized_ptr_t block = __size_returning_new(size);
        CHECK(made == 1 && block.n == size);
        operator delete(block.p, block.n);
        block = __size_returning_new_hot_cold(size, hint);
        CHECK(made == 2 && block.n == size);
        operator delete(block.p);
        block = __size_returning_new_aligned(size, to64);
        CHECK(made == 3 && block.n == size && (uintptr_t)block.p % 64 == 0);
        operator delete(block.p, to64);
        block = __size_returning_new_aligned_hot_cold(size, to8k, hint);
        CHECK(made == 4 && block.n == size && (uintptr_t)block.p % 8192 == 0);
        operator delete(block.p, size, to8k);
    }
    return 0;
}
