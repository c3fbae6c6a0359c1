/*
 * The forms of operator new that LLVM and libc++ call, as they declare them.
 */
#ifndef HOT_COLD_H
#define HOT_COLD_H
#include "test.h"
#include <new>

enum class __hot_cold_t : uint8_t;

void *operator new(size_t size, __hot_cold_t hint);
void *operator new[](size_t size, __hot_cold_t hint);
void *operator new(size_t size, const std::nothrow_t &, __hot_cold_t hint) noexcept;
void *operator new[](size_t size, const std::nothrow_t &, __hot_cold_t hint) noexcept;
void *operator new(size_t size, std::align_val_t align, __hot_cold_t hint);
void *operator new[](size_t size, std::align_val_t align, __hot_cold_t hint);
void *operator new(size_t size, std::align_val_t align, const std::nothrow_t &,
                   __hot_cold_t hint) noexcept;
void *operator new[](size_t size, std::align_val_t align, const std::nothrow_t &,
                     __hot_cold_t hint) noexcept;

struct __sized_ptr_t {
    void *p;
    size_t n;
};

extern "C" {
__sized_ptr_t __size_returning_new(size_t size);
__sized_ptr_t __size_returning_new_hot_cold(size_t size, __hot_cold_t hint);
__sized_ptr_t __size_returning_new_aligned(size_t size, std::align_val_t align);
__sized_ptr_t __size_returning_new_aligned_hot_cold(size_t size, std::align_val_t align,
                                                    __hot_cold_t hint);
}

static const __hot_cold_t hints[] = {__hot_cold_t(0), __hot_cold_t(1), __hot_cold_t(127),
                                     __hot_cold_t(128), __hot_cold_t(254), __hot_cold_t(255)};
static const std::align_val_t to64 = std::align_val_t(64), to8k = std::align_val_t(8192);
#endif
