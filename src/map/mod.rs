//! The page map: from any address to the header of the page that owns it.
//!
//! Two tables. The upper one is part of the library and has an entry for each 4 GiB of
//! a 48-bit address space; a lower one has an entry for each slice (64 KiB) of those
//! and is mapped when the first slice of them is used. Neither can run full, and a
//! pointer that is not ours is recognised without touching what it points to.
//!
//! Invariants
//! 1. An entry is null or the address of the header whose span contains that slice.
//! 2. Entries change only while their span is in nobody's hands but the caller's.
//! 3. A lower table, once published, stays.

mod page;

pub use page::{Kind, ListId, Page, PageList};

use crate::base::atomic::{AtomicPtr, Ordering};
use crate::base::class::SLICE;
use crate::sys::lock::{Lock, Rank, RawLock};
use crate::sys::vm;
use core::ptr::null_mut;

/// Addresses have this many bits; a larger one is nobody's.
pub const ADDRESS_BITS: u32 = 48;
const UPPER_SHIFT: u32 = 32;
const UPPER: usize = 1 << (ADDRESS_BITS - UPPER_SHIFT);
const SLICE_SHIFT: u32 = SLICE.trailing_zeros();
const LOWER: usize = 1 << (UPPER_SHIFT - SLICE_SHIFT);

type Entry = AtomicPtr<Page>;

static MAP: [AtomicPtr<Entry>; UPPER] = [const { AtomicPtr::new(null_mut()) }; UPPER];
static GROW: Lock<()> = Lock::new(Rank::Map, ());

/// The header of the page that `address` lies in, or null.
#[inline(always)]
pub fn lookup(address: usize) -> *mut Page {
    let upper = address >> UPPER_SHIFT;
    if upper >= UPPER {
        return null_mut();
    }
    // Relaxed everywhere: who holds a pointer got it after its span was entered, by
    // whatever way the pointer came; a wild pointer may see anything.
    let lower = MAP[upper].load(Ordering::Relaxed);
    if lower.is_null() {
        return null_mut();
    }
    let index = address as u32 >> SLICE_SHIFT;
    // SAFETY: invariant 3; the index has 16 bits, and the table 2^16 entries.
    unsafe { (*lower.add(index as usize)).load(Ordering::Relaxed) }
}

/// Makes sure that the lower tables for a range exist. False if there is no memory.
pub fn prepare(start: usize, size: usize) -> bool {
    let last = start + size - 1;
    if last >> ADDRESS_BITS != 0 {
        return false;
    }
    for slot in &MAP[start >> UPPER_SHIFT..=last >> UPPER_SHIFT] {
        if !slot.load(Ordering::Relaxed).is_null() {
            continue;
        }
        let _grow = GROW.lock();
        if slot.load(Ordering::Relaxed).is_null() {
            let Some(table) = vm::map(LOWER * size_of::<Entry>()) else {
                return false;
            };
            // Zero bytes are null entries. Release: the table is there before its address.
            slot.store(table as *mut Entry, Ordering::Release);
        }
    }
    true
}

/// Enters `page` (or null) for the slices from `start`, a multiple of `SLICE`. The
/// range has been prepared.
pub fn set(start: usize, slices: usize, page: *mut Page) {
    debug_assert_eq!(start % SLICE, 0);
    for i in 0..slices {
        let address = start + i * SLICE;
        let lower = MAP[address >> UPPER_SHIFT].load(Ordering::Relaxed);
        debug_assert!(!lower.is_null());
        let index = address as u32 >> SLICE_SHIFT;
        // SAFETY: prepared by the caller; the index is within the table.
        unsafe { (*lower.add(index as usize)).store(page, Ordering::Relaxed) };
    }
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
        vm::unmap(start, 8 * SLICE);
    }

    #[test]
    fn wild_addresses_are_nobodys() {
        for address in [0, 1, 16, 1 << 47, 1 << 48, usize::MAX, usize::MAX << 16] {
            assert!(lookup(address).is_null());
        }
        assert!(!prepare(1 << 48, 4096));
    }
}
