/*
 * A program with a malloc of its own may give blocks of operator new to its free, and delete blocks of its malloc.
 * ways: preload so
 * flags: -rdynamic
 */
#include "../lib/test.h"
#include <new>

alignas(4096) static char pool[1 << 20];
static size_t used;
static size_t taken, given;

extern "C" {
void *malloc(size_t size)
{
    void *block = pool + used;
    used += (size + 15) / 16 * 16;
    taken++;
    return used > sizeof pool ? nullptr : block;
}
void *aligned_alloc(size_t alignment, size_t size)
{
    used = (used + alignment - 1) / alignment * alignment;
    return malloc(size);
}
void *calloc(size_t count, size_t size)
{
    return malloc(count * size);
}
void free(void *block)
{
    if (block && ((char *)block < pool || (char *)block >= pool + sizeof pool))
        abort();
    given += block != nullptr;
}
}

int main()
{
    size_t before = taken;
    free(::operator new(100));
    ::operator delete(malloc(100));
    void *aligned = ::operator new(100, std::align_val_t(256));
    CHECK((uintptr_t)aligned % 256 == 0);
    free(aligned);
    delete new (std::nothrow) int;
    delete[] new char[1000];
    CHECK(taken - before == 5 && given >= 5);
    return 0;
}
