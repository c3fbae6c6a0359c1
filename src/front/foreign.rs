//! Pointers that no page of ours contains.
//!
//! In a preloaded process they may come from the allocator behind ours: they are handed
//! to its functions. Where there is none, or the address lies in a module's data or on
//! the calling stack, the process ends with a line that says so.

use super::free::inside;
use crate::backend::{buddy, system};
use crate::base::atomic::{AtomicPtr, Ordering};
use crate::sys::{console, module, stack, vm};
use core::ffi::c_void;
use core::mem::transmute;
use core::ptr::null_mut;

type Free = unsafe extern "C" fn(*mut c_void);
type Realloc = unsafe extern "C" fn(*mut c_void, usize) -> *mut c_void;
type UsableSize = unsafe extern "C" fn(*mut c_void) -> usize;

static NEXT_FREE: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
static NEXT_REALLOC: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
static NEXT_USABLE_SIZE: AtomicPtr<c_void> = AtomicPtr::new(null_mut());

/// Looks for the allocator behind ours. Called once, from the constructor of a library
/// that exports `malloc`.
pub fn find_next() {
    NEXT_FREE.store(module::next_symbol(c"free"), Ordering::Relaxed);
    NEXT_REALLOC.store(module::next_symbol(c"realloc"), Ordering::Relaxed);
    NEXT_USABLE_SIZE.store(
        module::next_symbol(c"malloc_usable_size"),
        Ordering::Relaxed,
    );
}

/// The next allocator's function in `slot`, for a pointer that may be its own. Ends the
/// process if it cannot be.
fn next(slot: &AtomicPtr<c_void>, pointer: *mut u8, what: &str) -> *mut c_void {
    let address = pointer as usize;
    let block = system::around(address);
    if !block.is_null() {
        // SAFETY: a header of a block in use.
        let (start, size) = unsafe { ((*block).base, (*block).size) };
        inside(what, address, start, size);
    }
    let next = slot.load(Ordering::Relaxed);
    // A block of another allocator has a header in front of it, which that one will read.
    let impossible = !address.is_multiple_of(16)
        || address >> crate::map::ADDRESS_BITS != 0
        || !vm::is_mapped(address.saturating_sub(16))
        || !vm::is_mapped(address);
    if next.is_null()
        || stack::holds(address)
        || impossible
        || buddy::contains(address)
        || module::holds(address)
    {
        console::die(format_args!(
            "{what} of {address:#x}, which no allocator of this process gave out"
        ));
    }
    next
}

/// # Safety
/// The block is the caller's.
#[cold]
pub unsafe fn free(pointer: *mut u8) {
    let next = next(&NEXT_FREE, pointer, "free");
    // SAFETY: the slot holds a `free`.
    unsafe { transmute::<*mut c_void, Free>(next)(pointer.cast()) }
}

/// # Safety
/// The block is the caller's.
#[cold]
pub unsafe fn realloc(pointer: *mut u8, size: usize) -> *mut u8 {
    let next = next(&NEXT_REALLOC, pointer, "realloc");
    // SAFETY: the slot holds a `realloc`.
    unsafe { transmute::<*mut c_void, Realloc>(next)(pointer.cast(), size).cast() }
}

/// # Safety
/// The block is the caller's.
#[cold]
pub unsafe fn usable_size(pointer: *mut u8) -> usize {
    let next = next(&NEXT_USABLE_SIZE, pointer, "malloc_usable_size");
    // SAFETY: the slot holds a `malloc_usable_size`.
    unsafe { transmute::<*mut c_void, UsableSize>(next)(pointer.cast()) }
}
