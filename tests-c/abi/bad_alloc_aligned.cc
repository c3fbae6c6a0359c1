/*
 * Aligned new of a huge size throws std::bad_alloc, also where rounding the size up would wrap.
 * only: lohalloc
 */
#include "../lib/test.h"
#include <new>

template <class Call> static void expect(Call call)
{
    try {
        hide(call());
        FAIL("no exception");
    } catch (const std::bad_alloc &error) {
        CHECK(error.what()[0]);
    }
}

int main()
{
    static const size_t sizes[] = {(size_t)PTRDIFF_MAX, (size_t)PTRDIFF_MAX + 1, SIZE_MAX - 64, SIZE_MAX};
    std::align_val_t to = std::align_val_t(64), far = std::align_val_t(MIB);
    for (size_t huge : sizes) {
        huge = hide_size(huge);
        expect([=] { return operator new(huge, to); });
        expect([=] { return operator new[](huge, far); });
        CHECK(operator new(huge, far, std::nothrow) == nullptr);
        CHECK(operator new[](huge, to, std::nothrow) == nullptr);
    }
    return 0;
}
