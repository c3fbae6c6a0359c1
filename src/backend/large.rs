//! Blocks that have a span of their own, in slices: from just above the slab's largest
//! class to 16 MiB, and smaller ones that grow.
//!
//! Only the OS pages that are touched cost memory, so a block that is likely to grow is
//! cheap in a span even while it is small, and grows there without being copied.

use super::buddy::{self, MAX_SLICES, Use};
use super::budget;
use crate::base::atomic::{AtomicUsize, Ordering};
use crate::base::bits::{round_down, round_up};
use crate::base::class::SLICE;
use crate::map::{self, Kind, Page};
use crate::sys::auxv::os_page;
use crate::sys::vm;
use core::ptr::null_mut;

/// The largest block of this backend, in bytes.
pub const LARGE_MAX: usize = MAX_SLICES * SLICE;
/// The strictest alignment of this backend, in bytes.
pub const ALIGN_MAX: usize = super::segment::ALIGN;

/// The least that is given back of a block that has become shorter, in bytes.
pub const TAIL: usize = 16 << 10;

/// Blocks given out and not given back, those on a shelf included.
static COUNT: AtomicUsize = AtomicUsize::new(0);

pub fn count() -> usize {
    COUNT.load(Ordering::Relaxed)
}

/// A block of at least `size` bytes, at most `LARGE_MAX`, at a multiple of `align`, a
/// power of two of at most `ALIGN_MAX`. Also says whether it reads as zero.
pub fn alloc(size: usize, align: usize) -> Option<(*mut Page, bool)> {
    alloc_with_room(size, align, 0)
}

/// As `alloc`, in a place where the block may grow to `room` bytes, if there is one.
pub fn alloc_with_room(size: usize, align: usize, room: usize) -> Option<(*mut Page, bool)> {
    let usable = usable(size);
    let slices = usable.div_ceil(SLICE);
    let room = room.div_ceil(SLICE).min(MAX_SLICES);
    let span = buddy::alloc(Use::Large, slices, align.div_ceil(SLICE), room)?;
    let page = span.page;
    // SAFETY: the span was just taken.
    unsafe {
        (*page).base = (*page).start;
        (*page).size = usable;
        (*page).capacity = 0;
        if (*page).start & (align - 1) != 0 {
            // A segment of less than full size may begin anywhere.
            buddy::free(page);
            return None;
        }
        map::set((*page).start, slices, page);
    }
    COUNT.fetch_add(1, Ordering::Relaxed);
    Some((page, span.zeroed))
}

/// Gives a block back.
///
/// # Safety
/// The page is the header of a block from `alloc` that nobody uses any more.
pub unsafe fn free(page: *mut Page) {
    // SAFETY: the caller gives the span up.
    unsafe {
        map::set((*page).start, (*page).slices as usize, null_mut());
        buddy::free(page);
    }
    COUNT.fetch_sub(1, Ordering::Relaxed);
}

/// Makes a block `size` bytes long where it stands, if that can be.
///
/// # Safety
/// The page is the header of a block from `alloc` that only the caller uses.
pub unsafe fn resize(page: *mut Page, size: usize) -> bool {
    if size > LARGE_MAX {
        return false;
    }
    let usable = usable(size);
    let slices = usable.div_ceil(SLICE);
    // SAFETY: the span is the caller's alone.
    unsafe {
        debug_assert_eq!((*page).kind, Kind::Large);
        let (start, had) = ((*page).start, (*page).slices as usize);
        if slices > had {
            if !buddy::extend(page, slices) {
                return false;
            }
            map::set(start + had * SLICE, slices - had, page);
        } else if slices < had {
            map::set(start + slices * SLICE, had - slices, null_mut());
            buddy::shrink(page, slices);
        }
        (*page).size = usable;
    }
    true
}

/// Where the span of a block ends.
///
/// # Safety
/// The page is the header of a block from `alloc` that only the caller uses.
pub unsafe fn end(page: *mut Page) -> usize {
    // SAFETY: the block is the caller's alone.
    unsafe { (*page).start + usize::from((*page).slices) * SLICE }
}

/// Gives back the memory of what a block in use has become shorter by, if it is worth a
/// call of the kernel.
pub fn purge_tail(from: usize, to: usize) {
    let from = round_up(from, os_page()).unwrap_or(to);
    let to = round_down(to, os_page());
    if to.saturating_sub(from) >= TAIL && vm::purge(from, to - from) {
        budget::count_purged(to - from);
    }
}

/// Whether a block has the slices for `size`, or more.
///
/// # Safety
/// The page is the header of a block from `alloc` that only the caller uses.
pub unsafe fn holds(page: *mut Page, size: usize) -> bool {
    // SAFETY: the block is the caller's alone.
    unsafe { (*page).slices as usize * SLICE >= usable(size) }
}

/// Makes a free block serve a request of `size`, if it has just the slices for it.
///
/// # Safety
/// The page is the header of a block from `alloc` that only the caller uses.
#[inline]
pub unsafe fn fit(page: *mut Page, size: usize) -> bool {
    let usable = usable(size);
    // SAFETY: the block is the caller's alone.
    unsafe {
        if (*page).slices as usize != usable.div_ceil(SLICE) {
            return false;
        }
        (*page).size = usable;
    }
    true
}

/// Bytes a caller may use of a block that was asked for with `size`.
fn usable(size: usize) -> usize {
    round_up(size.max(1), os_page()).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::alone;

    #[test]
    fn every_slice_leads_to_its_block() {
        let _alone = alone();
        for size in [1, 300 << 10, (1 << 20) + 1, LARGE_MAX] {
            let (page, _) = alloc(size, 16).expect("memory");
            // SAFETY: the block is ours.
            let (start, usable) = unsafe { ((*page).start, (*page).size) };
            assert!(usable >= size && usable < size + os_page());
            for at in (0..usable).step_by(SLICE / 2) {
                assert_eq!(map::lookup(start + at), page);
            }
            // SAFETY: ours until now.
            unsafe { free(page) };
            assert_ne!(map::lookup(start), page);
        }
    }

    #[test]
    fn grows_and_shrinks_where_it_stands() {
        let _alone = alone();
        let (page, _) = alloc(10_000, 16).expect("memory");
        // SAFETY: the block is ours.
        unsafe {
            let start = (*page).start;
            *(start as *mut u64) = 42;
            for size in [60_000, 70_000, 200_000, 5_000, 64 << 10] {
                if resize(page, size) {
                    assert!((*page).size >= size && (*page).start == start);
                    *((start + size - 8) as *mut u64) = 1;
                    assert_eq!(map::lookup(start + size - 1), page);
                }
                assert_eq!(*(start as *const u64), 42);
            }
            assert!(resize(page, 100));
            assert!(map::lookup(start + SLICE) != page);
            free(page);
        }
    }

    #[test]
    fn alignment_is_kept() {
        let _alone = alone();
        for shift in 4..=ALIGN_MAX.trailing_zeros() {
            if let Some((page, _)) = alloc(100_000, 1 << shift) {
                // SAFETY: ours.
                unsafe {
                    assert_eq!((*page).start % (1 << shift), 0);
                    free(page);
                }
            }
        }
    }
}
