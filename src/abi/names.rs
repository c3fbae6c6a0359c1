//! The standard names, as aliases of ours. Those of ISO C and POSIX are strong. The others
//! are weak, so that a program linked with the static library may define them: C++ lets
//! it replace operators, and what is no standard's may be its own.

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

// C23's, which programs have defined themselves; BSD's; and those of macOS.
alias!("weak":
    "free_sized" = "lohalloc_free_sized",
    "free_aligned_sized" = "lohalloc_free_aligned_sized",
    "cfree" = "lohalloc_free",
    "malloc_size" = "lohalloc_usable_size",
    "malloc_good_size" = "lohalloc_good_size",
);

// operator new(size_t) and operator delete(void *).
alias!("weak":
    "_Znwm" = "lohalloc_new",
    "_ZdlPv" = "lohalloc_delete",
);

// Left to glibc they would tell of its heap, which nobody uses.
alias!("weak":
    "malloc_trim" = "lohalloc_malloc_trim",
    "mallopt" = "lohalloc_mallopt",
    "mallinfo" = "lohalloc_mallinfo",
    "mallinfo2" = "lohalloc_mallinfo2",
    "malloc_info" = "lohalloc_malloc_info",
    "malloc_stats" = "lohalloc_malloc_stats",
);

// glibc's own names. musl's are for itself alone.
#[cfg(target_env = "gnu")]
alias!("weak":
    "__libc_malloc" = "lohalloc_malloc",
    "__libc_free" = "lohalloc_free",
    "__libc_calloc" = "lohalloc_calloc",
    "__libc_realloc" = "lohalloc_realloc",
    "__libc_memalign" = "lohalloc_memalign",
    "__libc_valloc" = "lohalloc_valloc",
    "__libc_pvalloc" = "lohalloc_pvalloc",
    "__libc_mallinfo" = "lohalloc_mallinfo",
    "__libc_mallopt" = "lohalloc_mallopt",
);
