//! `dlopen` and `dlmopen` without `RTLD_DEEPBIND`, and `dlclose`, as names of the shared library
//! alone.
//!
//! A library that is opened with that flag finds libc's `free` before ours, while what
//! libc gives it, `strdup` say, comes from ours. So the flag is cleared, unless the
//! environment says otherwise.
//!
//! The first two jump: the real function takes its caller's return address for the library whose
//! search path and namespace count.

use crate::base::atomic::{AtomicPtr, Ordering};
use crate::options::KEPT_DLOPEN_FLAGS;
use crate::sys::module::next_symbol;
use crate::topology::points;
use core::arch::naked_asm;
use core::ffi::{CStr, c_char, c_int, c_long, c_void};
use core::mem::transmute;
use core::ptr::null_mut;

/// The real functions, once they have been asked for.
static DLOPEN: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
static DLMOPEN: AtomicPtr<c_void> = AtomicPtr::new(null_mut());

extern "C" fn find_dlopen() -> *mut c_void {
    find(&DLOPEN, c"dlopen")
}

extern "C" fn find_dlmopen() -> *mut c_void {
    find(&DLMOPEN, c"dlmopen")
}

/// At the first call and not in the constructor: constructors of libraries that run before
/// ours open others, too.
#[cold]
fn find(slot: &AtomicPtr<c_void>, name: &CStr) -> *mut c_void {
    let next = next_symbol(name);
    slot.store(next, Ordering::Relaxed);
    next
}

/// cbindgen:ignore
#[unsafe(naked)]
#[unsafe(no_mangle)]
unsafe extern "C" fn lohalloc_dlopen(_file: *const c_char, _flags: c_int) -> *mut c_void {
    #[cfg(target_arch = "x86_64")]
    naked_asm!(
        "and esi, dword ptr [rip + {kept}]",
        "mov rax, qword ptr [rip + {next}]",
        "test rax, rax",
        "je 2f",
        "jmp rax",
        "2:",
        "push rdi",
        "push rsi",
        "sub rsp, 8",
        "call {find}",
        "add rsp, 8",
        "pop rsi",
        "pop rdi",
        "jmp rax",
        kept = sym KEPT_DLOPEN_FLAGS,
        next = sym DLOPEN,
        find = sym find_dlopen,
    );
    #[cfg(target_arch = "aarch64")]
    naked_asm!(
        "adrp x16, {kept}",
        "ldr w16, [x16, :lo12:{kept}]",
        "and w1, w1, w16",
        "adrp x16, {next}",
        "ldr x16, [x16, :lo12:{next}]",
        "cbz x16, 2f",
        "br x16",
        "2:",
        "stp x29, x30, [sp, #-32]!",
        "stp x0, x1, [sp, #16]",
        "bl {find}",
        "mov x16, x0",
        "ldp x0, x1, [sp, #16]",
        "ldp x29, x30, [sp], #32",
        "br x16",
        kept = sym KEPT_DLOPEN_FLAGS,
        next = sym DLOPEN,
        find = sym find_dlopen,
    );
}

/// cbindgen:ignore
#[unsafe(naked)]
#[unsafe(no_mangle)]
unsafe extern "C" fn lohalloc_dlmopen(
    _namespace: c_long,
    _file: *const c_char,
    _flags: c_int,
) -> *mut c_void {
    #[cfg(target_arch = "x86_64")]
    naked_asm!(
        "and edx, dword ptr [rip + {kept}]",
        "mov rax, qword ptr [rip + {next}]",
        "test rax, rax",
        "je 2f",
        "jmp rax",
        "2:",
        "push rdi",
        "push rsi",
        "push rdx",
        "call {find}",
        "pop rdx",
        "pop rsi",
        "pop rdi",
        "jmp rax",
        kept = sym KEPT_DLOPEN_FLAGS,
        next = sym DLMOPEN,
        find = sym find_dlmopen,
    );
    #[cfg(target_arch = "aarch64")]
    naked_asm!(
        "adrp x16, {kept}",
        "ldr w16, [x16, :lo12:{kept}]",
        "and w2, w2, w16",
        "adrp x16, {next}",
        "ldr x16, [x16, :lo12:{next}]",
        "cbz x16, 2f",
        "br x16",
        "2:",
        "stp x29, x30, [sp, #-48]!",
        "stp x0, x1, [sp, #16]",
        "str x2, [sp, #32]",
        "bl {find}",
        "mov x16, x0",
        "ldp x0, x1, [sp, #16]",
        "ldr x2, [sp, #32]",
        "ldp x29, x30, [sp], #48",
        "br x16",
        kept = sym KEPT_DLOPEN_FLAGS,
        next = sym DLMOPEN,
        find = sym find_dlmopen,
    );
}

/// Once a module is gone, what is known of return addresses is out of date: another may come to
/// lie where it was.
///
/// cbindgen:ignore
#[unsafe(no_mangle)]
unsafe extern "C" fn lohalloc_dlclose(handle: *mut c_void) -> c_int {
    static DLCLOSE: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
    let next = match DLCLOSE.load(Ordering::Relaxed) {
        next if next.is_null() => find(&DLCLOSE, c"dlclose"),
        next => next,
    };
    // SAFETY: the real function, with what the caller has for it.
    let answer = unsafe {
        transmute::<*mut c_void, unsafe extern "C" fn(*mut c_void) -> c_int>(next)(handle)
    };
    points::forget();
    answer
}
