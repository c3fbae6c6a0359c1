//! What the entries hand on to: the rest of malloc, calloc and delete; and realloc with its kin.

use super::entry::lohalloc_free;
use super::hand_on;
use crate::front::alloc::{self, Grant};
use crate::front::call::Call;
use crate::front::{foreign, free, realloc};
use crate::map::{self, Page};
use crate::sys::thread::set_errno;
use core::ffi::c_void;
use core::hint::black_box;
use core::ptr::null_mut;

/// Sets errno if there was no memory.
#[inline(never)]
pub fn null_is_no_memory(block: *mut u8) -> *mut c_void {
    if block.is_null() {
        set_errno(libc::ENOMEM);
    }
    block.cast()
}

/// malloc where the entry's fast path has nothing.
///
/// cbindgen:ignore
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lohalloc_malloc_slow(
    size: usize,
    site: usize,
    stack: usize,
    frame: usize,
) -> Grant {
    // SAFETY: the caller's call.
    match unsafe { alloc::routed(size, site) } {
        block if block.is_null() => malloc_deep(size, site, stack, frame),
        block => Grant::new(block, false),
    }
}

#[inline(never)]
extern "C" fn malloc_deep(size: usize, site: usize, stack: usize, frame: usize) -> Grant {
    // SAFETY: the caller's call.
    match unsafe { alloc::routed_deep(size, site, stack) } {
        block if block.is_null() => malloc_cold(size, site, stack, frame),
        block => Grant::new(block, false),
    }
}

#[cold]
#[inline(never)]
extern "C" fn malloc_cold(size: usize, site: usize, stack: usize, frame: usize) -> Grant {
    let grant = alloc::cold(size, &Call { site, stack, frame });
    if grant.block.is_null() {
        set_errno(libc::ENOMEM);
    }
    grant
}

/// operator new where the entry's fast path has nothing: the rest is in C++, since it may throw.
pub unsafe extern "C" fn new_slow(
    size: usize,
    site: usize,
    stack: usize,
    frame: usize,
) -> *mut c_void {
    // SAFETY: the caller's call. In a process with a malloc of its own heaps have no pages.
    unsafe {
        match alloc::routed_deep(size, site, stack) {
            block if block.is_null() => lohalloc_new_slow(size, site, stack, frame),
            block => block.cast(),
        }
    }
}

unsafe extern "C" {
    fn lohalloc_new_slow(size: usize, site: usize, stack: usize, frame: usize) -> *mut c_void;
}

/// calloc where the entry's fast path has nothing, which on x86-64 has looked already.
pub unsafe extern "C" fn calloc_slow(
    count: usize,
    size: usize,
    site: usize,
    stack: usize,
    frame: usize,
) -> *mut c_void {
    let Some(bytes) = count.checked_mul(size) else {
        return null_is_no_memory(null_mut());
    };
    // SAFETY: the caller's call.
    let block = unsafe { alloc::routed_deep(bytes, site, stack) };
    if !block.is_null() {
        // SAFETY: the block is ours and holds so many bytes.
        unsafe { block.write_bytes(0, bytes) };
        return block.cast();
    }
    let call = Call { site, stack, frame };
    null_is_no_memory(match cfg!(target_arch = "x86_64") {
        true => alloc::slow_zeroed(bytes, &call),
        false => alloc::alloc_zeroed(bytes, &call),
    })
}

/// realloc of a block, which is not null.
///
/// cbindgen:ignore
#[unsafe(naked)]
pub unsafe extern "C" fn resize_entry(block: *mut c_void, size: usize) -> *mut c_void {
    hand_on!("rdx", "rcx", "r8", ("x2", "x3", "x4"), resize)
}

unsafe extern "C" fn resize(
    block: *mut c_void,
    size: usize,
    site: usize,
    stack: usize,
    frame: usize,
) -> *mut c_void {
    let call = Call { site, stack, frame };
    if block.is_null() {
        return null_is_no_memory(alloc::alloc(size, &call));
    }
    // SAFETY: the caller's block.
    unsafe {
        if size == 0 {
            free::free(block.cast());
            return null_mut();
        }
        match realloc::realloc(block.cast(), size, &call) {
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
    hand_on!("rcx", "r8", "r9", ("x3", "x4", "x5"), resize_array)
}

unsafe extern "C" fn resize_array(
    block: *mut c_void,
    count: usize,
    size: usize,
    site: usize,
    stack: usize,
    frame: usize,
) -> *mut c_void {
    match count.checked_mul(size) {
        // SAFETY: the caller's block.
        Some(bytes) => unsafe { resize(block, bytes, site, stack, frame) },
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

/// Gives a block that no page of ours contains to the program's own `free`, if it has one.
pub unsafe extern "C" fn delete_elsewhere(block: *mut u8, page: *mut Page) {
    let theirs: unsafe extern "C" fn(*mut c_void) = libc::free;
    let own = black_box(theirs as usize) != black_box(lohalloc_free as *const () as usize);
    // SAFETY: the caller's block, which is not ours; or passed on.
    unsafe {
        if own && page == map::none() && !block.is_null() {
            theirs(block.cast());
        } else {
            free::elsewhere(block, page);
        }
    }
}
