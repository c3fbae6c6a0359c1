// Forms of operator new that no standard has yet: with a hint how hot the block will be, which
// LLVM puts in place of the plain forms where a profile tells (__hot_cold_t, 0 for cold to 255), and
// with the block's size returned (P0901), which libc++ uses where it finds them.
//
// They call the plain forms through the PLT: a program that replaces those has replaced these. The
// hint is not used.

#include <cstddef>
#include <cstdint>
#include <new>

#define HIDDEN [[gnu::visibility("hidden")]]
// The program's own definition wins, also over the static library's.
#define REPLACEABLE [[gnu::weak]]

enum class __hot_cold_t : std::uint8_t;

extern "C" {
// Rust's: the library's own operator new(size_t).
HIDDEN void *lohalloc_new(std::size_t size);
// The library's own operator new(size_t, align_val_t), whatever the program has replaced.
HIDDEN void *lohalloc_new_aligned(std::size_t size, std::align_val_t alignment);
std::size_t lohalloc_usable_size(void *block);

// In registers, on every machine we know: the name and the fields are libc++'s and tcmalloc's.
struct __sized_ptr_t {
    void *p;
    std::size_t n;
};
}

REPLACEABLE void *operator new(std::size_t size, __hot_cold_t) {
    return ::operator new(size);
}

REPLACEABLE void *operator new[](std::size_t size, __hot_cold_t) {
    return ::operator new[](size);
}

REPLACEABLE void *operator new(std::size_t size, const std::nothrow_t &tag, __hot_cold_t) noexcept {
    return ::operator new(size, tag);
}

REPLACEABLE void *operator new[](std::size_t size, const std::nothrow_t &tag,
                                 __hot_cold_t) noexcept {
    return ::operator new[](size, tag);
}

REPLACEABLE void *operator new(std::size_t size, std::align_val_t alignment, __hot_cold_t) {
    return ::operator new(size, alignment);
}

REPLACEABLE void *operator new[](std::size_t size, std::align_val_t alignment, __hot_cold_t) {
    return ::operator new[](size, alignment);
}

REPLACEABLE void *operator new(std::size_t size, std::align_val_t alignment,
                               const std::nothrow_t &tag, __hot_cold_t) noexcept {
    return ::operator new(size, alignment, tag);
}

REPLACEABLE void *operator new[](std::size_t size, std::align_val_t alignment,
                                 const std::nothrow_t &tag, __hot_cold_t) noexcept {
    return ::operator new[](size, alignment, tag);
}

namespace {

// Whether an operator is the library's. Where it is the program's, its block may begin before the
// address that it returns, or be no block of ours.
template <typename Operator> bool is_ours(Operator *called, Operator *ours) {
    // The compiler must not take two names for two functions.
    __asm__("" : "+r"(called));
    return called == ours;
}

__sized_ptr_t with_size(void *block, std::size_t size, bool ours) {
    return {block, ours ? lohalloc_usable_size(block) : size};
}

}  // namespace

extern "C" REPLACEABLE __sized_ptr_t __size_returning_new(std::size_t size) {
    return with_size(::operator new(size), size,
                     is_ours<void *(std::size_t)>(&::operator new, &lohalloc_new));
}

extern "C" REPLACEABLE __sized_ptr_t __size_returning_new_aligned(std::size_t size,
                                                                  std::align_val_t alignment) {
    return with_size(::operator new(size, alignment), size,
                     is_ours<void *(std::size_t, std::align_val_t)>(&::operator new,
                                                                    &lohalloc_new_aligned));
}

extern "C" REPLACEABLE __sized_ptr_t __size_returning_new_hot_cold(std::size_t size, __hot_cold_t) {
    return __size_returning_new(size);
}

extern "C" REPLACEABLE __sized_ptr_t
__size_returning_new_aligned_hot_cold(std::size_t size, std::align_val_t alignment, __hot_cold_t) {
    return __size_returning_new_aligned(size, alignment);
}
