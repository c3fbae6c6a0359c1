//! The page map: from any address to the header of the page that owns it.
//!
//! Two tables. The upper one is part of the library and has an entry for each 4 GiB of
//! a 48-bit address space; a lower one has an entry for each slice (64 KiB) of those
//! and is mapped when the first slice of them is used. Neither can run full, and a
//! pointer that is not ours is recognised without touching what it points to.
//!
//! Entries are distances from the map itself, so that zero, the state of fresh memory,
//! leads to a lower table without pages and to the header `none`: a look-up tests
//! nothing on its way.
//!
//! Invariants
//! 1. A lower entry leads to the header whose span contains that slice, or to `none`.
//! 2. Entries change only while their span is in nobody's hands but the caller's.
//! 3. A lower table, once published, stays.
//! 4. `none` and the lower table `nothing` are never written.

mod page;

pub use page::{COLD, Kind, ListId, Page, PageList};

use crate::base::atomic::{AtomicUsize, Ordering};
use crate::base::class::SLICE;
use crate::sys::lock::{Lock, Rank, RawLock};
use crate::sys::vm;
use core::mem::offset_of;
use core::ptr::null_mut;

/// Addresses have this many bits; a larger one is nobody's.
pub const ADDRESS_BITS: u32 = 48;
pub const UPPER_SHIFT: u32 = 32;
const UPPER: usize = 1 << (ADDRESS_BITS - UPPER_SHIFT);
pub const SLICE_SHIFT: u32 = SLICE.trailing_zeros();
const LOWER: usize = 1 << (UPPER_SHIFT - SLICE_SHIFT);

#[repr(C)]
pub struct Map {
    none: Page,
    /// Distances of lower tables from `nothing`.
    upper: [AtomicUsize; UPPER],
    /// The lower table where nothing is ours.
    nothing: [AtomicUsize; LOWER],
}

// SAFETY: `none` is never written; the rest is atomic.
unsafe impl Sync for Map {}

pub static MAP: Map = Map {
    none: Page::empty(),
    upper: [const { AtomicUsize::new(0) }; UPPER],
    nothing: [const { AtomicUsize::new(0) }; LOWER],
};
/// For the entries in assembly: where the tables lie in the map.
pub const UPPER_OFFSET: usize = offset_of!(Map, upper);
pub const NOTHING_OFFSET: usize = offset_of!(Map, nothing);
/// The highest index of the upper table.
#[cfg(target_arch = "x86_64")]
pub const UPPER_LAST: usize = UPPER - 1;

static GROW: Lock<()> = Lock::new(Rank::Map, ());

/// The header that stands where there is no page: no heap owns it, and it has no block.
pub const fn none() -> *mut Page {
    (&raw const MAP.none).cast_mut()
}

/// The address of the map, from which entries are counted.
#[inline(always)]
fn base() -> usize {
    &raw const MAP as usize
}

/// The entry of the lower table for `address`, which is below 2^48.
#[inline(always)]
fn entry(address: usize) -> *const AtomicUsize {
    let distance = MAP.upper[address >> UPPER_SHIFT].load(Ordering::Relaxed);
    let lower = base().wrapping_add(NOTHING_OFFSET).wrapping_add(distance);
    let index = (address as u32 >> SLICE_SHIFT) as usize;
    (lower as *const AtomicUsize).wrapping_add(index)
}

/// The header of the page that `address` lies in, or `none`.
#[inline(always)]
pub fn header(address: usize) -> *mut Page {
    if address >> ADDRESS_BITS != 0 {
        return none();
    }
    // Relaxed everywhere: who holds a pointer got it after its span was entered, by
    // whatever way the pointer came; a wild pointer may see anything.
    // SAFETY: invariant 3; the index has 16 bits, and the table 2^16 entries.
    let distance = unsafe { (*entry(address)).load(Ordering::Relaxed) };
    base().wrapping_add(distance) as *mut Page
}

/// The header of the page that `address` lies in, or null.
pub fn lookup(address: usize) -> *mut Page {
    match header(address) {
        page if page == none() => null_mut(),
        page => page,
    }
}

/// Makes sure that the lower tables for a range exist. False if there is no memory.
pub fn prepare(start: usize, size: usize) -> bool {
    let last = start + size - 1;
    if last >> ADDRESS_BITS != 0 {
        return false;
    }
    for slot in &MAP.upper[start >> UPPER_SHIFT..=last >> UPPER_SHIFT] {
        if slot.load(Ordering::Relaxed) != 0 {
            continue;
        }
        let _grow = GROW.lock();
        if slot.load(Ordering::Relaxed) == 0 {
            let Some(table) = vm::map(LOWER * size_of::<AtomicUsize>()) else {
                return false;
            };
            // Release: the table is there before its address.
            let distance = table.wrapping_sub(base() + NOTHING_OFFSET);
            slot.store(distance, Ordering::Release);
        }
    }
    true
}

/// Enters `page` (or null) for the slices from `start`, a multiple of `SLICE`. The
/// range has been prepared.
pub fn set(start: usize, slices: usize, page: *mut Page) {
    debug_assert_eq!(start % SLICE, 0);
    let distance = match page {
        page if page.is_null() => 0,
        page => (page as usize).wrapping_sub(base()),
    };
    for i in 0..slices {
        // SAFETY: prepared by the caller, so the entry is in a table of its own.
        unsafe { (*entry(start + i * SLICE)).store(distance, Ordering::Relaxed) };
    }
}

/// The headers of all pages. Walks the tables, where nobody else runs.
pub fn pages() -> impl Iterator<Item = *mut Page> {
    let tables = (0..UPPER).filter(|&i| MAP.upper[i].load(Ordering::Relaxed) != 0);
    let slices = tables.flat_map(|i| (0..LOWER).map(move |j| i << UPPER_SHIFT | j << SLICE_SHIFT));
    let mut last = none();
    slices
        .map(header)
        .filter(move |&page| page != core::mem::replace(&mut last, page) && page != none())
}

/// The lock of the map, for the fork handlers.
pub fn raw_lock() -> &'static RawLock {
    GROW.raw()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_set_and_nothing_else() {
        let start = vm::map_aligned(8 * SLICE, SLICE).expect("memory");
        assert!(prepare(start, 8 * SLICE));
        let page = 0x1000 as *mut Page;
        set(start + SLICE, 3, page);
        assert!(lookup(start).is_null());
        assert_eq!(lookup(start + SLICE), page);
        assert_eq!(lookup(start + 4 * SLICE - 1), page);
        assert!(lookup(start + 4 * SLICE).is_null());
        set(start + SLICE, 3, null_mut());
        assert!(lookup(start + SLICE).is_null());
        vm::discard(start, 8 * SLICE);
    }

    #[test]
    fn wild_addresses_are_nobodys() {
        for address in [0, 1, 16, 1 << 47, 1 << 48, usize::MAX, usize::MAX << 16] {
            assert!(lookup(address).is_null());
        }
        assert!(!prepare(1 << 48, 4096));
    }
}
