//! Sizes told and asked for: C23's frees, and the names that macOS has.

use super::entry::lohalloc_free;
use crate::front::{alloc, free};
use core::ffi::c_void;

/// Frees a block of lohalloc_malloc, lohalloc_calloc or lohalloc_realloc whose size the
/// caller knows. NULL does nothing. Any thread. Keeps errno.
///
/// `size` is what was asked for. A block that is shorter than that is undefined
/// behaviour; it is told as other misuse is. A `size` that is too small is not noticed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lohalloc_free_sized(block: *mut c_void, size: usize) {
    // SAFETY: the caller's block.
    unsafe {
        free::demand_fit(block.cast(), 1, size);
        lohalloc_free(block);
    }
}

/// As lohalloc_free_sized, for a block of lohalloc_aligned_alloc. An address that is no
/// multiple of `align` is told, too.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lohalloc_free_aligned_sized(
    block: *mut c_void,
    align: usize,
    size: usize,
) {
    // SAFETY: the caller's block.
    unsafe {
        free::demand_fit(block.cast(), align, size);
        lohalloc_free(block);
    }
}

/// Bytes in the block that lohalloc_malloc makes for `size` bytes: what
/// lohalloc_usable_size will say, or less. To ask for as much costs no more memory.
/// `size` itself if it is above PTRDIFF_MAX. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn lohalloc_good_size(size: usize) -> usize {
    alloc::good_size(size)
}
