/*
 * new of a huge size throws std::bad_alloc, nothrow new returns NULL, and the process goes on.
 */
#include "../lib/test.h"
#include <new>
#include <thread>
#include <vector>

template <class Call> static void expect(Call call)
{
    try {
        hide(call());
        FAIL("no exception");
    } catch (const std::bad_alloc &error) {
        CHECK(error.what()[0]);
    }
}

static void all()
{
    static const size_t sizes[] = {(size_t)PTRDIFF_MAX, (size_t)PTRDIFF_MAX + 1, SIZE_MAX - 64, SIZE_MAX};
    for (size_t huge : sizes) {
        huge = hide_size(huge);
        expect([=] { return operator new(huge); });
        expect([=] { return operator new[](huge); });
        CHECK(operator new(huge, std::nothrow) == nullptr);
        CHECK(operator new[](huge, std::nothrow) == nullptr);
    }
    std::vector<char> bytes;
    expect([&] { bytes.reserve(hide_size(PTRDIFF_MAX - 100)); return nullptr; });
    bytes.resize(1000);
}

int main()
{
    all();
    std::thread thread(all);
    thread.join();
    return 0;
}
