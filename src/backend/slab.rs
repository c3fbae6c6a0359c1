//! Pages of equal blocks.
//!
//! The first block of a page starts at a colour, so that the first blocks of many pages
//! do not meet in one set of the cache (J. Bonwick, "The slab allocator", 1994). Blocks
//! are carved, that is put on the free list for the first time, an OS page at a time:
//! a page costs what was used of it. What was used once and is free again can go back an
//! OS page at a time: see `holes`.
//!
//! Invariants: those of `map::page`.

use super::buddy::{self, Use};
use crate::base::atomic::Ordering;
use crate::base::block::{Block, Chain};
use crate::base::class::{self, CLASSES, SLICE};
use crate::base::tally::{self, Word};
use crate::map::{self, Kind, Page};
use crate::sys::auxv::os_page;
use core::ptr::null_mut;

pub mod holes;

/// Small-block memory beyond this does not stay in the caches.
const COLD_AFTER: usize = 8 << 20;

const _: () = assert!(SLICE / class::QUANTUM <= tally::MAX_BLOCKS as usize);

/// Which buddy the pages of a class come from: pages of one large block may be mostly
/// untouched.
fn use_of(class: usize) -> Use {
    if class::info(class).size as usize > SLICE {
        Use::Large
    } else {
        Use::Small
    }
}

/// Whether pages of `class` lie among the small spans, which `COLD_AFTER` is about, and may
/// have holes.
pub fn is_among_small(class: usize) -> bool {
    matches!(use_of(class), Use::Small)
}

/// A page of `bin` that the heap at address `heap` owns, with nothing carved.
/// Pages with successive `turn`s get successive colours.
pub fn create(bin: usize, heap: usize, turn: u32) -> Option<*mut Page> {
    let (lane, class) = (bin / CLASSES, bin % CLASSES);
    let info = class::info(class);
    let slices = info.slices as usize;
    let span = buddy::alloc(use_of(class), slices, 1, 1)?;
    let colour = turn % u32::from(info.colours) * info.colour_step;
    let capacity = ((slices * SLICE) as u32 - colour) / info.size;
    // SAFETY: the span was just taken; its header is ours.
    unsafe {
        let page = span.page;
        debug_assert!((*page).tally.load() == Word::OWNED);
        (*page).kind = Kind::Slab;
        (*page).class = class as u8;
        (*page).lane = lane as u8;
        (*page).free = null_mut();
        (*page).used = 0;
        (*page).bias = 0;
        (*page).holes.store(0, Ordering::Relaxed);
        (*page).magic = info.magic;
        (*page).base = (*page).start + colour as usize;
        (*page).capacity = capacity;
        (*page).uncarved = capacity;
        (*page).zeroed = span.zeroed;
        (*page).kept = false;
        (*page).cold = is_among_small(class) && span.in_use > COLD_AFTER;
        (*page).home.store(heap, Ordering::Relaxed);
        (*page).set_owner(heap);
        map::set((*page).start, slices, page);
    }
    Some(span.page)
}

/// Gives a page back all of whose blocks are free.
///
/// # Safety
/// The page is the caller's alone: owned and in no list, or just claimed.
pub unsafe fn release(page: *mut Page) {
    // SAFETY: nobody holds a block of the page.
    unsafe {
        debug_assert!(!(*page).kept);
        if is_dense(page) {
            buddy::count_dense((*page).slices as usize, false);
        }
        let holes = (*page).holes.load(Ordering::Relaxed);
        if holes != 0 {
            buddy::count_hollow(holes.count_ones() as usize * os_page(), false);
        }
        (*page).owner.store(0, Ordering::Relaxed);
        map::set((*page).start, (*page).slices as usize, null_mut());
        buddy::free(page);
    }
}

/// Whether all of a page has been touched, and nothing of it given back.
unsafe fn is_dense(page: *mut Page) -> bool {
    // SAFETY: the caller owns the page.
    unsafe { (*page).uncarved == 0 && (*page).holes.load(Ordering::Relaxed) == 0 }
}

/// Carves the blocks that start in the next OS page. Returns how many.
///
/// # Safety
/// The caller owns the page, which has uncarved blocks.
pub unsafe fn carve(page: *mut Page) -> u32 {
    // SAFETY: the caller owns the page; uncarved blocks are nobody's.
    unsafe {
        debug_assert!((*page).uncarved > 0);
        let size = (*page).block_size();
        let first = (*page).base + ((*page).capacity - (*page).uncarved) as usize * size;
        let boundary = (first | (os_page() - 1)) + 1;
        let count = ((boundary - first).div_ceil(size) as u32).min((*page).uncarved);
        let mut next = (*page).free;
        for i in (0..count as usize).rev() {
            let block = (first + i * size) as *mut Block;
            (*block).next = next;
            (*block).key = page as usize;
            next = block;
        }
        (*page).free = next;
        (*page).uncarved -= count;
        if is_dense(page) {
            buddy::count_dense((*page).slices as usize, true);
        }
        count
    }
}

/// Carves one block and takes it. Also says whether it reads as zero throughout.
///
/// # Safety
/// As `carve`.
pub unsafe fn carve_one(page: *mut Page) -> (*mut Block, bool) {
    // SAFETY: as in `carve`.
    unsafe {
        debug_assert!((*page).uncarved > 0);
        let index = (*page).capacity - (*page).uncarved;
        (*page).uncarved -= 1;
        if is_dense(page) {
            buddy::count_dense((*page).slices as usize, true);
        }
        (*page).used += 1;
        let block = ((*page).base + index as usize * (*page).block_size()) as *mut Block;
        if !(*page).zeroed {
            (*block).key = 0;
        }
        (block, (*page).zeroed)
    }
}

/// Takes the first free block; null if there is none or if its key is gone. Whatever
/// interrupts it between two writes leaves a page that is safe to use: at worst a block
/// is lost.
///
/// # Safety
/// The caller owns the page.
#[inline(always)]
pub unsafe fn pop(page: *mut Page) -> *mut Block {
    // SAFETY: the caller owns the page, and blocks on its list are free.
    unsafe {
        let block = (*page).free;
        if block.is_null() || (*block).key != page as usize {
            return null_mut();
        }
        (*page).free = (*block).next;
        (*page).used += 1;
        (*block).key = 0;
        block
    }
}

/// Puts a block back. Returns whether the page is now without a block in use.
///
/// # Safety
/// The caller owns the page, and the block is of it and in nobody's hands.
#[inline(always)]
pub unsafe fn push(page: *mut Page, block: *mut Block) -> bool {
    // SAFETY: the caller owns both.
    unsafe {
        (*block).next = (*page).free;
        (*block).key = page as usize;
        (*page).free = block;
        (*page).used = (*page).used.wrapping_sub(1);
        (*page).used == 0
    }
}

/// Puts a chain of blocks back. Returns whether the count of those in use has come down to
/// its bias or below, as `push` does at 0; the bias is 0 then.
///
/// # Safety
/// The caller owns the page; the chain is of it, has its keys, and is the caller's.
pub unsafe fn splice(page: *mut Page, chain: Chain) -> bool {
    // SAFETY: the caller owns both.
    unsafe {
        (*chain.last).next = (*page).free;
        (*page).free = chain.first;
        let ends = (*page).used <= chain.count;
        if ends {
            (*page).set_bias(0);
        }
        (*page).used = (*page).used.wrapping_sub(chain.count);
        ends
    }
}

/// Whether a block is on the page's free list.
///
/// # Safety
/// The caller owns the page.
#[cold]
pub unsafe fn is_free(page: *mut Page, block: *mut Block) -> bool {
    // SAFETY: the caller owns the page.
    unsafe { leads_to(page, (*page).free, block) }
}

/// Whether a list of free blocks of the page leads to `block`. The list may change
/// meanwhile: no step leaves the page.
///
/// # Safety
/// The page is in the map, and stays.
#[cold]
pub unsafe fn leads_to(page: *mut Page, mut at: *mut Block, block: *mut Block) -> bool {
    // SAFETY: every block that is read starts in the page.
    unsafe {
        for _ in 0..(*page).capacity {
            if at == block {
                return true;
            }
            if map::lookup(at as usize) != page || !(*page).starts_block(at as usize) {
                return false;
            }
            at = (&raw const (*at).next).read_volatile();
        }
        false
    }
}

/// Counts the blocks out anew, from the free list.
///
/// # Safety
/// The caller owns the page.
pub unsafe fn recount(page: *mut Page) {
    // SAFETY: blocks on the list are free and linked.
    unsafe {
        let mut out = (*page).capacity - (*page).uncarved - holes::count(page);
        let mut at = (*page).free;
        while !at.is_null() && out > 0 {
            out -= 1;
            at = (*at).next;
        }
        (*page).used = out;
        (*page).bias = 0;
    }
}

/// Checks the invariants of a page that the caller owns.
///
/// # Safety
/// The caller owns the page, and nothing of it is on its way through another thread.
#[cfg(test)]
pub unsafe fn check(page: *mut Page) {
    // SAFETY: the caller owns the page.
    unsafe {
        let page_ref = &*page;
        assert_eq!(page_ref.kind, Kind::Slab);
        let span = page_ref.start..page_ref.start + page_ref.slices as usize * SLICE;
        let end = page_ref.base + page_ref.capacity as usize * page_ref.block_size();
        assert!(span.contains(&page_ref.base) && end <= span.end);
        let carved = page_ref.capacity - page_ref.uncarved;
        let (mut free, mut at) = (0, page_ref.free);
        while !at.is_null() {
            assert!(page_ref.starts_block(at as usize));
            let index = (at as usize - page_ref.base) / page_ref.block_size();
            assert!(
                index < carved as usize,
                "an uncarved block on the free list"
            );
            assert_eq!(map::lookup(at as usize), page);
            free += 1;
            assert!(free <= carved, "the free list has a ring");
            at = (*at).next;
        }
        let out = carved - free - holes::count(page);
        assert_eq!(page_ref.out(), out, "used counts blocks out");
        assert!(page_ref.bias <= 1);
        holes::check(page);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::alone;
    use proptest::prelude::*;
    use std::collections::BTreeMap;
    use std::vec::Vec;

    const HEAP: usize = 0x1000;

    /// Whether no OS page that a block reaches into is a hole.
    unsafe fn holes_hold(page: *mut Page, at: usize, size: usize) -> bool {
        // SAFETY: the test owns the page.
        unsafe {
            let holes = (*page).holes.load(Ordering::Relaxed);
            let bit = |address: usize| holes >> ((address - (*page).start) / os_page()) & 1;
            (at..at + size).step_by(16).all(|address| bit(address) == 0)
        }
    }

    unsafe fn take(page: *mut Page) -> Option<(usize, bool)> {
        // SAFETY: the test owns the page.
        unsafe {
            let block = pop(page);
            if !block.is_null() {
                return Some((block as usize, false));
            }
            if (*page).uncarved == 0 {
                if (*page).holes.load(Ordering::Relaxed) == 0 {
                    return None;
                }
                assert!(holes::fill(page).expect("no block freed twice") > 0);
                return Some((pop(page) as usize, false));
            }
            if (*page).block_size() >= os_page() {
                let (block, zeroed) = carve_one(page);
                return Some((block as usize, zeroed));
            }
            carve(page);
            Some((pop(page) as usize, false))
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn blocks_keep_their_bytes(class in 0..class::CLASSES, turn in 0..40u32, sparse in 0..2u16, start in 0..800usize, ops in prop::collection::vec(any::<u16>(), 1..400)) {
            let _alone = alone();
            let page = create(class, HEAP, turn).expect("memory");
            let size = class::size_of(class);
            let mut shadow: BTreeMap<usize, u8> = BTreeMap::new();
            let fill = |at: usize, mark: u8| {
                // SAFETY: a block in the test's hands.
                unsafe { core::slice::from_raw_parts_mut(at as *mut u8, size) }.fill(mark);
            };
            let holds = |at: usize, mark: u8| {
                // SAFETY: as above.
                unsafe { core::slice::from_raw_parts(at as *const u8, size) }.iter().all(|&b| b == mark)
            };
            let ops = ops.into_iter();
            for op in core::iter::repeat_n(1 + 2 * sparse, start).chain(ops) {
                // SAFETY: the test owns the page and the blocks.
                unsafe {
                    if op % 64 == 0 {
                        let before = (*page).holes.load(Ordering::Relaxed).count_ones() as usize;
                        let bytes = holes::punch(page).expect("a list in order");
                        let after = (*page).holes.load(Ordering::Relaxed).count_ones() as usize;
                        prop_assert_eq!(bytes, (after - before) * os_page());
                        for &at in shadow.keys() {
                            prop_assert!(!holes::covers(page, at) && holes_hold(page, at, size));
                        }
                    } else if (op % 3 == 0) == (sparse == 1) {
                        if let Some((at, zeroed)) = take(page) {
                            prop_assert!((*page).starts_block(at));
                            prop_assert_eq!(at % 16, 0);
                            prop_assert!(!zeroed || holds(at, 0));
                            prop_assert!(shadow.insert(at, op as u8).is_none());
                            fill(at, op as u8);
                        } else {
                            prop_assert_eq!(shadow.len(), (*page).capacity as usize);
                        }
                    } else if let Some((&at, &mark)) = shadow.iter().nth(op as usize % shadow.len().max(1)) {
                        prop_assert!(holds(at, mark));
                        shadow.remove(&at);
                        let empty = push(page, at as *mut Block);
                        prop_assert_eq!(empty, shadow.is_empty());
                        prop_assert!(is_free(page, at as *mut Block));
                    }
                    check(page);
                }
            }
            let left: Vec<usize> = shadow.keys().copied().collect();
            for at in left {
                prop_assert!(holds(at, shadow[&at]));
                // SAFETY: ours.
                unsafe { push(page, at as *mut Block) };
            }
            // SAFETY: all blocks are free.
            unsafe { release(page) };
        }
    }

    #[test]
    fn an_address_inside_a_block_is_told_from_its_start() {
        let _alone = alone();
        for class in 0..class::CLASSES {
            let page = create(class, HEAP, 3).expect("memory");
            // SAFETY: the test owns the page.
            unsafe {
                let (at, _) = take(page).expect("fresh page");
                let size = class::size_of(class);
                assert!((*page).starts_block(at) && !(*page).starts_block(at + 8));
                assert_eq!((*page).block_around(at + size - 1), Some(at));
                push(page, at as *mut Block);
                release(page);
            }
        }
    }
}
