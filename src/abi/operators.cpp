// The C++ operators new and delete.
//
// Only the basic forms allocate and free: `operator new(size_t)` and `operator delete(void *)`,
// which are Rust and share the code of malloc and free, and the two aligned ones here. Every other
// form calls the form that libstdc++'s would call, through the PLT, so that a program that replaces
// one replaces all. All but the nothrow forms do so by a tail call: the return address that the
// allocator sees is the program's.
//
// This is C++ because a new_handler may throw anything, and no exception may cross a Rust frame.

#include <cstddef>
#include <cstdlib>
#include <initializer_list>
#include <new>

#include <dlfcn.h>
#include <unistd.h>

// No C++ runtime is linked: these are bound where the process has one, and null where it has none.
namespace std {
[[noreturn, gnu::weak]] void __throw_bad_alloc();
[[gnu::weak]] new_handler get_new_handler() noexcept;
}
extern "C" {
[[gnu::weak]] void *__cxa_begin_catch(void *) noexcept;
// In a static program there is no loader to ask.
[[gnu::weak]] decltype(::dlopen) dlopen;
[[gnu::weak]] decltype(::dlsym) dlsym;
}
// The compiler puts these in by itself.
__asm__(".weak __cxa_end_catch\n"
        ".weak __gxx_personality_v0\n"
        ".weak _Unwind_Resume\n");

#define HIDDEN [[gnu::visibility("hidden")]]
// The program's own definition wins, also over the static library's.
#define REPLACEABLE [[gnu::weak]]

extern "C" {
// Rust's; null when there is no memory.
HIDDEN void *lohalloc_malloc_slow(std::size_t size, void *site, void *stack, void *frame);
HIDDEN void *lohalloc_aligned_slow(std::size_t alignment, std::size_t size);
void *lohalloc_malloc(std::size_t size);
// Not `free`: a program with a malloc of its own must not get our blocks.
void lohalloc_delete(void *block);
}

namespace {

// A runtime that came with a plugin is loaded but not visible to everybody: the weak name is null,
// and the library itself must be asked.
template <typename Function>
Function *runtime(Function *weak, const char *name) {
    if (weak != nullptr || &dlopen == nullptr || &dlsym == nullptr)
        return weak;
    for (const char *file : {"libstdc++.so.6", "libc++.so.1"})
        if (void *library = dlopen(file, RTLD_LAZY | RTLD_NOLOAD))
            if (void *found = dlsym(library, name))
                return reinterpret_cast<Function *>(found);
    return nullptr;
}

[[noreturn]] void fail() {
    if (auto *raise = runtime(&std::__throw_bad_alloc, "_ZSt17__throw_bad_allocv"))
        raise();
    static const char line[] = "lohalloc: operator new: no memory, and no C++ runtime to throw by\n";
    if (write(STDERR_FILENO, line, sizeof line - 1) < 0) {
        // There is nobody left to tell.
    }
    std::abort();
}

// What the standard asks for before another try: returns when that try is due.
void call_new_handler() {
    std::new_handler handler = nullptr;
    if (auto *get = runtime(&std::get_new_handler, "_ZSt15get_new_handlerv"))
        handler = get();
    if (handler == nullptr)
        fail();
    handler();
}

bool is_power_of_two(std::size_t value) {
    return value != 0 && (value & (value - 1)) == 0;
}

// Without a runtime in sight nobody can have replaced a basic form, and nothing can be caught.
bool can_catch() {
    return &__cxa_begin_catch != nullptr;
}

}  // namespace

namespace {

// A program that has a malloc of its own gets its blocks from there, as from libstdc++'s operators: it
// may give them to its own free.
bool malloc_is_ours() {
    void *(*volatile theirs)(std::size_t) = std::malloc;
    return theirs == lohalloc_malloc;
}

void *get(std::size_t size, void *site, void *stack, void *frame) {
    return malloc_is_ours() ? lohalloc_malloc_slow(size, site, stack, frame) : std::malloc(size);
}

void *get_aligned(std::size_t alignment, std::size_t size) {
    if (malloc_is_ours())
        return lohalloc_aligned_slow(alignment, size);
    std::size_t rounded = (size + alignment - 1) & ~(alignment - 1);
    return rounded < size ? nullptr : std::aligned_alloc(alignment, rounded);
}

}  // namespace

// The tail of `operator new(size_t)`, entered by a jump: its caller is the program.
extern "C" HIDDEN void *lohalloc_new_slow(std::size_t size, void *site, void *stack,
                                          void *frame) {
    for (;;) {
        if (void *block = get(size, site, stack, frame))
            return block;
        call_new_handler();
    }
}

REPLACEABLE void *operator new(std::size_t size, std::align_val_t alignment) {
    if (!is_power_of_two(std::size_t(alignment)))
        fail();
    for (;;) {
        if (void *block = get_aligned(std::size_t(alignment), size))
            return block;
        call_new_handler();
    }
}

// The function above, whatever the program has replaced.
extern "C" HIDDEN [[gnu::alias("_ZnwmSt11align_val_t"), gnu::malloc, gnu::alloc_size(1)]] void *
lohalloc_new_aligned(std::size_t size, std::align_val_t alignment);

REPLACEABLE void *operator new[](std::size_t size) {
    return ::operator new(size);
}

REPLACEABLE void *operator new[](std::size_t size, std::align_val_t alignment) {
    return ::operator new(size, alignment);
}

REPLACEABLE void *operator new(std::size_t size, const std::nothrow_t &) noexcept {
    if (!can_catch())
        return std::malloc(size);
    try {
        return ::operator new(size);
    } catch (...) {
        return nullptr;
    }
}

REPLACEABLE void *operator new[](std::size_t size, const std::nothrow_t &) noexcept {
    if (!can_catch())
        return std::malloc(size);
    try {
        return ::operator new[](size);
    } catch (...) {
        return nullptr;
    }
}

namespace {

void *aligned_or_null(std::size_t size, std::align_val_t alignment) {
    if (!is_power_of_two(std::size_t(alignment)))
        return nullptr;
    return get_aligned(std::size_t(alignment), size);
}

}  // namespace

REPLACEABLE void *operator new(std::size_t size, std::align_val_t alignment,
                               const std::nothrow_t &) noexcept {
    if (!can_catch())
        return aligned_or_null(size, alignment);
    try {
        return ::operator new(size, alignment);
    } catch (...) {
        return nullptr;
    }
}

REPLACEABLE void *operator new[](std::size_t size, std::align_val_t alignment,
                                 const std::nothrow_t &) noexcept {
    if (!can_catch())
        return aligned_or_null(size, alignment);
    try {
        return ::operator new[](size, alignment);
    } catch (...) {
        return nullptr;
    }
}

REPLACEABLE void operator delete(void *block, std::align_val_t) noexcept {
    lohalloc_delete(block);
}

REPLACEABLE void operator delete(void *block, const std::nothrow_t &) noexcept {
    ::operator delete(block);
}

REPLACEABLE void operator delete(void *block, std::size_t) noexcept {
    ::operator delete(block);
}

REPLACEABLE void operator delete(void *block, std::align_val_t alignment,
                                 const std::nothrow_t &) noexcept {
    ::operator delete(block, alignment);
}

REPLACEABLE void operator delete(void *block, std::size_t, std::align_val_t alignment) noexcept {
    ::operator delete(block, alignment);
}

REPLACEABLE void operator delete[](void *block) noexcept {
    ::operator delete(block);
}

REPLACEABLE void operator delete[](void *block, const std::nothrow_t &) noexcept {
    ::operator delete[](block);
}

REPLACEABLE void operator delete[](void *block, std::size_t) noexcept {
    ::operator delete[](block);
}

REPLACEABLE void operator delete[](void *block, std::align_val_t alignment) noexcept {
    ::operator delete(block, alignment);
}

REPLACEABLE void operator delete[](void *block, std::align_val_t alignment,
                                   const std::nothrow_t &) noexcept {
    ::operator delete[](block, alignment);
}

REPLACEABLE void operator delete[](void *block, std::size_t, std::align_val_t alignment) noexcept {
    ::operator delete[](block, alignment);
}

// C++14 had these two beside the twenty of today.
REPLACEABLE void operator delete(void *block, std::size_t, const std::nothrow_t &) noexcept {
    ::operator delete(block);
}

REPLACEABLE void operator delete[](void *block, std::size_t, const std::nothrow_t &) noexcept {
    ::operator delete[](block);
}
