//! The allocator of a Rust program.

use crate::base::class::QUANTUM;
use crate::front::call::Call;
use crate::front::{aligned, alloc, free, realloc};
use core::alloc::{GlobalAlloc, Layout};
use core::ptr::null_mut;

/// The allocator as a type without a value of its own.
///
/// ```
/// #[global_allocator]
/// static ALLOCATOR: lohalloc::Lohalloc = lohalloc::Lohalloc;
///
/// let squares: Vec<u64> = (0..1000).map(|n| n * n).collect();
/// assert_eq!(squares[31], 961);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Lohalloc;

// SAFETY: blocks are as large and as aligned as their layouts ask, belong to the caller
// until they are freed, and nothing here unwinds.
unsafe impl GlobalAlloc for Lohalloc {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.align() <= QUANTUM {
            alloc::alloc(layout.size(), &Call::UNKNOWN)
        } else {
            aligned::alloc_aligned(layout.size(), layout.align(), &Call::UNKNOWN).block
        }
    }

    #[inline]
    unsafe fn dealloc(&self, pointer: *mut u8, _: Layout) {
        // SAFETY: the caller's block.
        unsafe { free::free(pointer) };
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if layout.align() <= QUANTUM {
            return alloc::alloc_zeroed(layout.size(), &Call::UNKNOWN);
        }
        let grant = aligned::alloc_aligned(layout.size(), layout.align(), &Call::UNKNOWN);
        if !grant.block.is_null() && !grant.zeroed {
            // SAFETY: the block is ours and as large as its layout.
            unsafe { grant.block.write_bytes(0, layout.size()) };
        }
        grant.block
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's block; a size of 0 is not allowed here.
        unsafe {
            if layout.align() <= QUANTUM {
                return realloc::realloc(pointer, size, &Call::UNKNOWN).unwrap_or(null_mut());
            }
            let new = aligned::alloc_aligned(size, layout.align(), &Call::UNKNOWN).block;
            if !new.is_null() {
                core::ptr::copy_nonoverlapping(pointer, new, layout.size().min(size));
                free::free(pointer);
            }
            new
        }
    }
}
