/*
 * A program that replaces the aligned basic forms sees the aligned derived forms go through them.
 */
#include "../lib/test.h"
#include <new>

static int made, gone;

void *operator new(size_t size, std::align_val_t alignment)
{
    void *block = nullptr;
    made++;
    if (posix_memalign(&block, (size_t)alignment, size))
        throw std::bad_alloc();
    return block;
}

void operator delete(void *block, std::align_val_t) noexcept
{
    gone++;
    free(block);
}

struct alignas(128) Wide {
    char bytes[128];
};

int main()
{
    std::align_val_t to = std::align_val_t(128);
    delete (Wide *)hide(new Wide);
    CHECK(made == 1 && gone == 1);
    delete[] (Wide *)hide(new Wide[5]);
    CHECK(made == 2 && gone == 2);
    operator delete(hide(operator new(5, to, std::nothrow)), to, std::nothrow);
    CHECK(made == 3 && gone == 3);
    operator delete[](hide(operator new[](5, to, std::nothrow)), 5, to);
    CHECK(made == 4 && gone == 4);
    return 0;
}
