/*
 * The operators that return a size return all bytes that the block has, and the usual delete frees it.
 * only: lohalloc
 * ways: so a
 */
#include "../lib/hot_cold.h"

static void *made(__sized_ptr_t block, size_t size, size_t alignment)
{
    CHECK(block.p && (uintptr_t)block.p % alignment == 0);
    CHECK(block.n >= size && block.n == malloc_usable_size(block.p));
    fill(block.p, block.n, size);
    CHECK(filled(block.p, block.n, size));
    return hide(block.p);
}

int main()
{
    __hot_cold_t hint = __hot_cold_t(200);
    for (size_t size = 0; size < 40 * MIB; size = size * 2 + 1) {
        __sized_ptr_t block = __size_returning_new(size);
        operator delete(made(block, size, 16), block.n);
        block = __size_returning_new_hot_cold(size, hint);
        operator delete(made(block, size, 16), size);
        block = __size_returning_new_aligned(size, to8k);
        operator delete(made(block, size, 8192), block.n, to8k);
        block = __size_returning_new_aligned_hot_cold(size, to64, hint);
        operator delete(made(block, size, 64), to64);
    }
    return 0;
}
