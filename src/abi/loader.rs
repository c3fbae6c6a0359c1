//! `dlopen` and `dlmopen`, which the shared library puts in front of libc's.
//!
//! RTLD_DEEPBIND has a plugin find libc's `free` before ours, while what libc hands it
//! (`strdup`, `getline`) still comes from our `malloc`: libc's `free` would end the process.
//! So the flag is taken away, and the call goes on by a jump: libc still sees the caller's
//! return address, by which it finds the namespace and the paths to search.

use crate::base::atomic::{AtomicPtr, Ordering};
use crate::options;
use crate::sys::module;
use core::arch::naked_asm;
use core::ffi::{c_char, c_int, c_long, c_void};
use core::ptr::null_mut;

static NEXT_DLOPEN: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
static NEXT_DLMOPEN: AtomicPtr<c_void> = AtomicPtr::new(null_mut());

/// The functions behind ours, looked for at the first call: null if there is none.
extern "C" fn find_dlopen() -> *mut c_void {
    find(&NEXT_DLOPEN, c"dlopen")
}

extern "C" fn find_dlmopen() -> *mut c_void {
    find(&NEXT_DLMOPEN, c"dlmopen")
}

fn find(slot: &AtomicPtr<c_void>, name: &core::ffi::CStr) -> *mut c_void {
    let next = module::next_symbol(name);
    slot.store(next, Ordering::Relaxed);
    next
}

/// Takes the flag out of the register `$flags` unless the option says otherwise, or the
/// code `$elsewhere` finds another namespace than the first: its libc is another, too.
#[cfg(target_arch = "x86_64")]
macro_rules! open {
    (dlopen, $next:path, $find:path) => {
        open!("", "esi", $next, $find)
    };
    (dlmopen, $next:path, $find:path) => {
        open!("test rdi, rdi\njne 3f", "edx", $next, $find)
    };
    ($elsewhere:literal, $flags:literal, $next:path, $find:path) => {
        naked_asm!(
            concat!("test ", $flags, ", {deepbind}"),
            "je 3f",
            $elsewhere,
            "cmp byte ptr [rip + {keep}], 0",
            "jne 3f",
            concat!("and ", $flags, ", ~{deepbind}"),
            "3:",
            "mov rax, qword ptr [rip + {next}]",
            "test rax, rax",
            "je 4f",
            "jmp rax",
            "4:",
            "push rdi",
            "push rsi",
            "push rdx",
            "call {find}",
            "pop rdx",
            "pop rsi",
            "pop rdi",
            "test rax, rax",
            "je 5f",
            "jmp rax",
            "5:",
            "ret",
            deepbind = const libc::RTLD_DEEPBIND,
            keep = sym options::KEEP_DEEPBIND,
            next = sym $next,
            find = sym $find,
        )
    };
}
#[cfg(target_arch = "aarch64")]
macro_rules! open {
    (dlopen, $next:path, $find:path) => {
        open!("", "w1", $next, $find)
    };
    (dlmopen, $next:path, $find:path) => {
        open!("cbnz x0, 3f", "w2", $next, $find)
    };
    ($elsewhere:literal, $flags:literal, $next:path, $find:path) => {
        naked_asm!(
            concat!("tst ", $flags, ", #{deepbind}"),
            "b.eq 3f",
            $elsewhere,
            "adrp x16, {keep}",
            "ldrb w16, [x16, :lo12:{keep}]",
            "cbnz w16, 3f",
            concat!("and ", $flags, ", ", $flags, ", #~{deepbind}"),
            "3:",
            "adrp x16, {next}",
            "ldr x16, [x16, :lo12:{next}]",
            "cbz x16, 4f",
            "br x16",
            "4:",
            "stp x29, x30, [sp, #-48]!",
            "stp x0, x1, [sp, #16]",
            "str x2, [sp, #32]",
            "bl {find}",
            "mov x16, x0",
            "ldr x2, [sp, #32]",
            "ldp x0, x1, [sp, #16]",
            "ldp x29, x30, [sp], #48",
            "cbz x16, 5f",
            "br x16",
            "5:",
            "mov x0, xzr",
            "ret",
            deepbind = const libc::RTLD_DEEPBIND,
            keep = sym options::KEEP_DEEPBIND,
            next = sym $next,
            find = sym $find,
        )
    };
}

/// cbindgen:ignore
#[unsafe(naked)]
#[unsafe(no_mangle)]
unsafe extern "C" fn lohalloc_dlopen(file: *const c_char, flags: c_int) -> *mut c_void {
    open!(dlopen, NEXT_DLOPEN, find_dlopen)
}

/// cbindgen:ignore
#[unsafe(naked)]
#[unsafe(no_mangle)]
unsafe extern "C" fn lohalloc_dlmopen(
    space: c_long,
    file: *const c_char,
    flags: c_int,
) -> *mut c_void {
    open!(dlmopen, NEXT_DLMOPEN, find_dlmopen)
}
