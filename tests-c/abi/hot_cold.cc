/*
 * The forms of operator new with a hint allocate for every hint, and the usual delete frees it.
 * only: lohalloc
 * ways: so a
 */
#include "../lib/hot_cold.h"

static void *made(void *block, size_t size, size_t alignment)
{
    CHECK(block && (uintptr_t)block % alignment == 0);
    CHECK(malloc_usable_size(block) >= size);
    memset(block, 1, size);
    return hide(block);
}

int main()
{
    for (__hot_cold_t hint : hints) {
        for (size_t size = 0; size < 4 * MIB; size = size * 3 + 1) {
            operator delete(made(operator new(size, hint), size, 16), size);
            operator delete[](made(operator new[](size, hint), size, 16));
            operator delete(made(operator new(size, std::nothrow, hint), size, 16));
            operator delete[](made(operator new[](size, std::nothrow, hint), size, 16), size);
            operator delete(made(operator new(size, to64, hint), size, 64), to64);
            operator delete[](made(operator new[](size, to8k, hint), size, 8192), to8k);
            operator delete(made(operator new(size, to8k, std::nothrow, hint), size, 8192), to8k);
            operator delete[](made(operator new[](size, to64, std::nothrow, hint), size, 64), to64);
        }
    }
    CHECK(mallinfo2().hblks == 0 && mallinfo2().uordblks < MIB);
    return 0;
}
