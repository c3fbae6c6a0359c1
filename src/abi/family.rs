//! calloc, realloc and their kin.

use super::entry::lohalloc_malloc;
use super::hand_on;
use crate::front::{alloc, foreign, free, realloc};
use crate::sys::thread::set_errno;
use core::arch::naked_asm;
use core::ffi::c_void;
use core::ptr::null_mut;

/// Sets errno if there was no memory.
#[inline(never)]
pub fn null_is_no_memory(block: *mut u8) -> *mut c_void {
    if block.is_null() {
        set_errno(libc::ENOMEM);
    }
    block.cast()
}

/// calloc where the entry's fast path has nothing, which on x86-64 has looked already.
pub unsafe extern "C" fn calloc_slow(
    count: usize,
    size: usize,
    _site: usize,
    _stack: usize,
) -> *mut c_void {
    let Some(bytes) = count.checked_mul(size) else {
        return null_is_no_memory(null_mut());
    };
    null_is_no_memory(match cfg!(target_arch = "x86_64") {
        true => alloc::slow_zeroed(bytes),
        false => alloc::alloc_zeroed(bytes),
    })
}

/// Makes a block `size` bytes long. Its bytes up to the smaller of both sizes stay; so do
/// all that lohalloc_usable_size has promised. The block may move.
///
/// For NULL, as lohalloc_malloc. For a size of 0, frees the block and returns NULL.
/// Returns NULL with ENOMEM if there is no memory: the block is then as it was.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lohalloc_realloc(block: *mut c_void, size: usize) -> *mut c_void {
    // Interpreters allocate by a realloc of NULL.
    #[cfg(target_arch = "x86_64")]
    naked_asm!(
        "test rdi, rdi",
        "jne 2f",
        "mov rdi, rsi",
        "jmp {malloc}",
        "2:",
        "mov rdx, qword ptr [rsp]",
        "mov rcx, rsp",
        "jmp {resize}",
        malloc = sym lohalloc_malloc,
        resize = sym resize,
    );
    #[cfg(target_arch = "aarch64")]
    naked_asm!(
        "cbnz x0, 2f",
        "mov x0, x1",
        "b {malloc}",
        "2:",
        "mov x2, x30",
        "mov x3, sp",
        "b {resize}",
        malloc = sym lohalloc_malloc,
        resize = sym resize,
    )
}

unsafe extern "C" fn resize(
    block: *mut c_void,
    size: usize,
    _site: usize,
    _stack: usize,
) -> *mut c_void {
    if block.is_null() {
        return null_is_no_memory(alloc::alloc(size));
    }
    // SAFETY: the caller's block.
    unsafe {
        if size == 0 {
            free::free(block.cast());
            return null_mut();
        }
        match realloc::realloc(block.cast(), size) {
            Some(new) if !new.is_null() => new.cast(),
            Some(null) => null_is_no_memory(null),
            None => foreign::realloc(block.cast(), size).cast(),
        }
    }
}

/// As lohalloc_realloc with a size of `count * size`; NULL with ENOMEM if that overflows.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lohalloc_reallocarray(
    block: *mut c_void,
    count: usize,
    size: usize,
) -> *mut c_void {
    hand_on!("rcx", "r8", "x3", "x4", resize_array)
}

unsafe extern "C" fn resize_array(
    block: *mut c_void,
    count: usize,
    size: usize,
    site: usize,
    stack: usize,
) -> *mut c_void {
    match count.checked_mul(size) {
        // SAFETY: the caller's block.
        Some(bytes) => unsafe { resize(block, bytes, site, stack) },
        None => null_is_no_memory(null_mut()),
    }
}

/// Bytes that the caller may use of a block: what was asked for, or more. The same for
/// as long as the block lives and is not reallocated. 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lohalloc_usable_size(block: *mut c_void) -> usize {
    if block.is_null() {
        return 0;
    }
    // SAFETY: the caller's block.
    unsafe {
        match free::usable_size(block.cast(), "malloc_usable_size") {
            Some(size) => size,
            None => foreign::usable_size(block.cast()),
        }
    }
}
