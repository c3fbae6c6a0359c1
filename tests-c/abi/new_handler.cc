/*
 * The new_handler is called until it helps, and an exception of its own type reaches the caller unchanged.
 */
#include "../lib/test.h"
#include <new>
#include <string>

struct Own {
    std::string text;
    int number;
};

static int calls;

static void thrower()
{
    if (++calls == 3)
        throw Own{"thrown by the handler", 42};
}

static void gives_up()
{
    calls++;
    std::set_new_handler(nullptr);
}

template <class Call> static void expect_own(Call call)
{
    calls = 0;
    std::set_new_handler(thrower);
    try {
        call();
        FAIL("no exception");
    } catch (const Own &own) {
        CHECK(own.number == 42 && own.text == "thrown by the handler");
    }
    CHECK(calls == 3);
}

template <class Call> static void expect_bad_alloc(Call call)
{
    calls = 0;
    std::set_new_handler(gives_up);
    try {
        call();
        FAIL("no exception");
    } catch (const std::bad_alloc &) {
    }
    CHECK(calls == 1);
}

int main()
{
    size_t huge = hide_size(PTRDIFF_MAX - 1000);
    std::align_val_t to = std::align_val_t(256);
    for (int turn = 0; turn < 3; turn++) {
        expect_own([=] { hide(operator new(huge)); });
        expect_own([=] { hide(operator new[](huge)); });
        expect_own([=] { hide(operator new(huge, to)); });
        expect_own([=] { hide(operator new[](huge, to)); });
        expect_bad_alloc([=] { hide(operator new(huge)); });
        expect_bad_alloc([=] { hide(operator new[](huge)); });
        expect_bad_alloc([=] { hide(operator new(huge, to)); });
    }
    calls = 0;
    std::set_new_handler(gives_up);
    CHECK(operator new(huge, std::nothrow) == nullptr && calls == 1);
    std::set_new_handler(gives_up);
    CHECK(operator new(huge, to, std::nothrow) == nullptr && calls == 2);
    /* A handler that throws bad_alloc makes the nothrow forms answer NULL. */
    std::set_new_handler([] { throw std::bad_alloc(); });
    CHECK(operator new(huge, std::nothrow) == nullptr);
    CHECK(operator new[](huge, std::nothrow) == nullptr);
    CHECK(operator new(huge, to, std::nothrow) == nullptr);
    return 0;
}
