//! Blocks at a multiple of more than 16.

use super::family::null_is_no_memory;
use super::hand_on;
use crate::base::bits::round_up;
use crate::front::aligned::alloc_aligned;
use crate::front::call::Call;
use crate::sys::auxv::os_page;
use crate::sys::thread::set_errno;
use core::ffi::{c_int, c_void};
use core::ptr::null_mut;

/// For `operator new(size_t, align_val_t)`, which checks the alignment.
///
/// cbindgen:ignore
#[unsafe(no_mangle)]
unsafe extern "C" fn lohalloc_aligned_slow(align: usize, size: usize) -> *mut c_void {
    alloc_aligned(size, align, &Call::UNKNOWN).block.cast()
}

/// Allocates `size` bytes at a multiple of `align`, a power of two that is a multiple of
/// sizeof(void *), and stores the block in `*out`.
///
/// Returns 0; EINVAL for another alignment, ENOMEM if there is no memory. `*out` and
/// errno are left alone then.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lohalloc_posix_memalign(
    out: *mut *mut c_void,
    align: usize,
    size: usize,
) -> c_int {
    hand_on!("rcx", "r8", "r9", ("x3", "x4", "x5"), posix_memalign)
}

unsafe extern "C" fn posix_memalign(
    out: *mut *mut c_void,
    align: usize,
    size: usize,
    site: usize,
    stack: usize,
    frame: usize,
) -> c_int {
    if !align.is_power_of_two() || !align.is_multiple_of(size_of::<*mut c_void>()) {
        return libc::EINVAL;
    }
    let block = alloc_aligned(size, align, &Call { site, stack, frame }).block;
    if block.is_null() {
        return libc::ENOMEM;
    }
    // SAFETY: the caller's place for the answer.
    unsafe { *out = block.cast() };
    0
}

/// Allocates `size` bytes at a multiple of `align`; an alignment that is no power of two
/// counts as the next one, as in glibc. `size` need not be a multiple of it.
///
/// Returns as lohalloc_malloc; NULL with EINVAL if `align` is above the largest power of
/// two.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lohalloc_aligned_alloc(align: usize, size: usize) -> *mut c_void {
    hand_on!("rdx", "rcx", "r8", ("x2", "x3", "x4"), memalign)
}

/// The older name of lohalloc_aligned_alloc.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lohalloc_memalign(align: usize, size: usize) -> *mut c_void {
    hand_on!("rdx", "rcx", "r8", ("x2", "x3", "x4"), memalign)
}

unsafe extern "C" fn memalign(
    align: usize,
    size: usize,
    site: usize,
    stack: usize,
    frame: usize,
) -> *mut c_void {
    match align.checked_next_power_of_two() {
        Some(align) => {
            null_is_no_memory(alloc_aligned(size, align, &Call { site, stack, frame }).block)
        }
        None => {
            set_errno(libc::EINVAL);
            null_mut()
        }
    }
}

/// Allocates `size` bytes at a multiple of the OS page. Returns as lohalloc_malloc.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lohalloc_valloc(size: usize) -> *mut c_void {
    hand_on!("rsi", "rdx", "rcx", ("x1", "x2", "x3"), valloc)
}

unsafe extern "C" fn valloc(size: usize, site: usize, stack: usize, frame: usize) -> *mut c_void {
    null_is_no_memory(alloc_aligned(size, os_page(), &Call { site, stack, frame }).block)
}

/// Allocates whole OS pages that hold `size` bytes. Returns as lohalloc_malloc.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lohalloc_pvalloc(size: usize) -> *mut c_void {
    hand_on!("rsi", "rdx", "rcx", ("x1", "x2", "x3"), pvalloc)
}

unsafe extern "C" fn pvalloc(size: usize, site: usize, stack: usize, frame: usize) -> *mut c_void {
    let block = match round_up(size, os_page()) {
        Some(size) => alloc_aligned(size, os_page(), &Call { site, stack, frame }).block,
        None => null_mut(),
    };
    null_is_no_memory(block)
}
