/*
 * The forms with a hint and those that return a size throw, call the new_handler and answer NULL as the plain ones do.
 * only: lohalloc
 * ways: so a
 */
#include "../lib/hot_cold.h"

struct Own {
    int number;
};

static int calls;

template <class Call> static void fails(Call call)
{
    std::set_new_handler(nullptr);
    try {
        hide(call());
        FAIL("no exception");
    } catch (const std::bad_alloc &) {
    }
    calls = 0;
    std::set_new_handler([] {
        if (++calls == 2)
            throw Own{42};
    });
    try {
        hide(call());
        FAIL("no exception");
    } catch (const Own &own) {
        CHECK(own.number == 42 && calls == 2);
    }
    std::set_new_handler(nullptr);
}

int main()
{
    size_t huge = hide_size(PTRDIFF_MAX - 1000);
    __hot_cold_t hint = __hot_cold_t(3);
    fails([=] { return operator new(huge, hint); });
    fails([=] { return operator new[](huge, hint); });
    fails([=] { return operator new(huge, to64, hint); });
    fails([=] { return operator new[](huge, to64, hint); });
    fails([=] { return __size_returning_new(huge).p; });
    fails([=] { return __size_returning_new_hot_cold(huge, hint).p; });
    fails([=] { return __size_returning_new_aligned(huge, to64).p; });
    fails([=] { return __size_returning_new_aligned_hot_cold(huge, to64, hint).p; });
    CHECK(operator new(huge, std::nothrow, hint) == nullptr);
    CHECK(operator new[](huge, std::nothrow, hint) == nullptr);
    CHECK(operator new(huge, to64, std::nothrow, hint) == nullptr);
    CHECK(operator new[](huge, to64, std::nothrow, hint) == nullptr);
    return 0;
}
