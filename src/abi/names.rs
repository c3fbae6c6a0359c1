//! The standard names, as aliases of ours. Those that C++ lets a program replace are
//! weak, so that a program linked with the static library may.

use core::arch::global_asm;

macro_rules! alias {
    ($bind:literal: $($name:literal = $ours:literal),* $(,)?) => {
        $(global_asm!(
            concat!(".", $bind, " ", $name),
            concat!(".type ", $name, ", %function"),
            concat!(".set ", $name, ", ", $ours),
        );)*
    };
}

alias!("globl":
    "malloc" = "lohalloc_malloc",
    "free" = "lohalloc_free",
    "calloc" = "lohalloc_calloc",
    "realloc" = "lohalloc_realloc",
    "reallocarray" = "lohalloc_reallocarray",
    "posix_memalign" = "lohalloc_posix_memalign",
    "aligned_alloc" = "lohalloc_aligned_alloc",
    "memalign" = "lohalloc_memalign",
    "valloc" = "lohalloc_valloc",
    "pvalloc" = "lohalloc_pvalloc",
    "malloc_usable_size" = "lohalloc_usable_size",
);

// operator new(size_t) and operator delete(void *).
alias!("weak":
    "_Znwm" = "lohalloc_new",
    "_ZdlPv" = "lohalloc_free",
);
