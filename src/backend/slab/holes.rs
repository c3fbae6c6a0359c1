//! Holes: OS pages inside a page in use that hold no block in use, given back.
//!
//! Only the owner makes and fills them, since only the owner knows the free list. A page
//! with holes has room: they are filled when its list has run dry and all is carved.
//!
//! Invariants
//! 1. A bit of `holes` stands for an OS page of the span, from its start. It is set only
//!    where each block that reaches into the OS page is carved, free, and not on the list.
//!    Such a block is *in the holes*.
//! 2. A full page, and one without a block in use, may be without memory but have no holes
//!    that count: what is let go has none, and what is released is forgotten.
//! 3. Blocks in the holes begin with 16 bytes of zero, unless somebody wrote to them.

use super::is_dense;
use crate::backend::{buddy, budget};
use crate::base::atomic::Ordering;
use crate::base::block::{Block, fetch};
use crate::base::class::{QUANTUM, SLICE};
use crate::map::Page;
use crate::sys::auxv::os_page;
use core::ops::RangeInclusive;

/// OS pages that `holes` has bits for.
const OS_PAGES: usize = u64::BITS as usize;
/// Blocks that a page with holes may have at most.
const BLOCKS: usize = SLICE / QUANTUM;

/// How the blocks of a page lie on its OS pages.
struct Layout {
    /// From the start of the span to block 0, in bytes.
    offset: usize,
    size: usize,
    /// log2 of the OS page.
    shift: u32,
    /// OS pages in the span.
    os_pages: usize,
    capacity: usize,
    carved: usize,
}

impl Layout {
    /// The layout of a page that may have holes: `None` for one of a single block, which is
    /// either in use or gives the whole page back.
    ///
    /// # Safety
    /// A slab page in the map.
    unsafe fn of(page: *mut Page) -> Option<Layout> {
        // SAFETY: what is read here stays while the page is a slab page, but `uncarved`,
        // which only the owner reads.
        unsafe {
            let shift = os_page().trailing_zeros();
            let os_pages = (usize::from((*page).slices) * SLICE) >> shift;
            let capacity = (*page).capacity as usize;
            (capacity > 1 && capacity <= BLOCKS && os_pages <= OS_PAGES).then(|| Layout {
                offset: (*page).base - (*page).start,
                size: (*page).block_size(),
                shift,
                os_pages,
                capacity,
                carved: capacity - (*page).uncarved as usize,
            })
        }
    }

    /// The OS pages that block `index` reaches into.
    fn reach(&self, index: usize) -> u64 {
        let first = (self.offset + index * self.size) >> self.shift;
        let last = (self.offset + (index + 1) * self.size - 1) >> self.shift;
        (u64::MAX >> (63 - (last - first))) << first
    }

    /// The blocks that reach into an OS page: `None` if one of them is not carved, or if
    /// there is none.
    fn blocks(&self, os_page: usize) -> Option<RangeInclusive<usize>> {
        let (from, to) = (os_page << self.shift, (os_page + 1) << self.shift);
        let first = from.saturating_sub(self.offset) / self.size;
        // Behind the last block there may be room for no other.
        let last = ((to - 1).checked_sub(self.offset)? / self.size).min(self.capacity - 1);
        (first <= last && last < self.carved).then_some(first..=last)
    }
}

/// Whether `address`, where a block of the page starts, lies in a hole: then the block is
/// free. Any thread; true for no block in the caller's hands.
///
/// # Safety
/// A slab page in the map.
pub unsafe fn covers(page: *mut Page, address: usize) -> bool {
    // SAFETY: as the caller says.
    unsafe {
        let holes = (*page).holes.load(Ordering::Relaxed);
        if holes == 0 {
            return false;
        }
        let first = (address - (*page).start) >> os_page().trailing_zeros();
        let last =
            (address + (*page).block_size() - 1 - (*page).start) >> os_page().trailing_zeros();
        (first..=last).any(|at| holes >> at & 1 != 0)
    }
}

/// Gives back all OS pages that hold no block in use. Returns how many bytes, or a block
/// that stands twice in the list or has lost its key.
///
/// # Safety
/// The caller owns the page, and holds its heap's lock.
pub unsafe fn punch(page: *mut Page) -> Result<usize, *mut Block> {
    // SAFETY: the caller owns the page; blocks on its list are free.
    unsafe {
        let Some(layout) = Layout::of(page) else {
            return Ok(0);
        };
        let old = (*page).holes.load(Ordering::Relaxed);
        let free = free_blocks(page, &layout, old)?;
        let mut empty = 0u64;
        for os_page in (0..layout.os_pages).filter(|at| old >> at & 1 == 0) {
            if let Some(mut blocks) = layout.blocks(os_page)
                && blocks.all(|index| free.has(index))
            {
                empty |= 1 << os_page;
            }
        }
        if empty == 0 {
            return Ok(0);
        }
        let was_dense = is_dense(page);
        unlink(page, &layout, empty);
        buddy::count_hollow((empty.count_ones() as usize) << layout.shift, true);
        (*page).holes.store(old | empty, Ordering::Relaxed);
        if was_dense {
            buddy::count_dense((*page).slices.into(), false);
        }
        if old == 0 {
            buddy::forbid_huge(page);
        }
        Ok(give_back(page, &layout, empty))
    }
}

/// Purges the OS pages in `empty`, run by run. What the kernel keeps is no hole.
unsafe fn give_back(page: *mut Page, layout: &Layout, empty: u64) -> usize {
    let mut purged = 0;
    let mut left = empty;
    while left != 0 {
        let from = left.trailing_zeros();
        let len = (left >> from).trailing_ones();
        let run = (u64::MAX >> (64 - len)) << from;
        left &= !run;
        let bytes = (len as usize) << layout.shift;
        // SAFETY: no block that reaches into the run is in use or listed.
        unsafe {
            let start = (*page).start + ((from as usize) << layout.shift);
            if crate::sys::vm::purge(start, bytes) {
                purged += bytes;
            } else {
                // Never fails without a look at the bytes.
                let _ = fill_in(page, layout, run, false);
            }
        }
    }
    budget::count_purged(purged);
    purged
}

/// Fills a hole: lists the blocks that are in no hole any more, at least one. Returns how
/// many, or a block that was written to, or freed twice, while it was in a hole.
///
/// # Safety
/// The caller owns the page, which has holes, and an empty list.
pub unsafe fn fill(page: *mut Page) -> Result<u32, *mut Block> {
    // SAFETY: the caller owns the page.
    unsafe {
        let holes = (*page).holes.load(Ordering::Relaxed);
        let Some(layout) = Layout::of(page) else {
            return Ok(0);
        };
        let Some(mut blocks) = layout.blocks(holes.trailing_zeros() as usize) else {
            return Ok(0);
        };
        let first = blocks.next().unwrap_or(0);
        // All that this block reaches into, so that it at least can be had.
        fill_in(page, &layout, holes & layout.reach(first), true)
    }
}

/// Makes the OS pages in `filled` no holes any more, and lists the blocks that are in no
/// other. Returns how many, or the first that is not as it was left, where it `looks`.
unsafe fn fill_in(
    page: *mut Page,
    layout: &Layout,
    filled: u64,
    looks: bool,
) -> Result<u32, *mut Block> {
    // SAFETY: the caller owns the page; blocks in the holes are free and in no list.
    unsafe {
        let left = (*page).holes.load(Ordering::Relaxed) & !filled;
        (*page).holes.store(left, Ordering::Relaxed);
        buddy::count_hollow((filled.count_ones() as usize) << layout.shift, false);
        if is_dense(page) {
            buddy::count_dense((*page).slices.into(), true);
        }
        let mut count = 0;
        let top = 63 - filled.leading_zeros() as usize;
        let low = filled.trailing_zeros() as usize;
        let (Some(first), Some(last)) = (layout.blocks(low), layout.blocks(top)) else {
            return Ok(0);
        };
        for index in (*first.start()..=*last.end()).rev() {
            let reach = layout.reach(index);
            if reach & filled == 0 || reach & left != 0 {
                continue;
            }
            let block = ((*page).base + index * layout.size) as *mut Block;
            if looks && !((*block).next.is_null() && (*block).key == 0) {
                return Err(block);
            }
            (*block).next = (*page).free;
            (*block).key = page as usize;
            (*page).free = block;
            count += 1;
        }
        Ok(count)
    }
}

/// How many blocks are in the holes; of a page that the caller does not own, at some moment.
///
/// # Safety
/// The page is one of blocks, and its header stays.
#[inline]
pub unsafe fn count(page: *mut Page) -> u32 {
    // SAFETY: only `holes` changes, which is read once.
    unsafe {
        match (*page).holes.load(Ordering::Relaxed) {
            0 => 0,
            holes => count_in(page, holes),
        }
    }
}

#[cold]
unsafe fn count_in(page: *mut Page, mut left: u64) -> u32 {
    // SAFETY: as in `count`.
    unsafe {
        let Some(layout) = Layout::of(page) else {
            return 0;
        };
        let (mut count, mut next) = (0, 0);
        while left != 0 {
            if let Some(blocks) = layout.blocks(left.trailing_zeros() as usize) {
                let end = blocks.end() + 1;
                count += end - next.clamp(*blocks.start(), end);
                next = end;
            }
            left &= left - 1;
        }
        count as u32
    }
}

/// Whether all blocks of a page are on its list or in its holes: if not, one has been freed
/// twice where it had no key, and is in use.
///
/// # Safety
/// The caller owns the page.
pub unsafe fn all_free(page: *mut Page) -> bool {
    // SAFETY: the caller owns the page; blocks on its list are free.
    unsafe {
        let mut left = (*page).capacity - (*page).uncarved - count(page);
        let mut at = (*page).free;
        while !at.is_null() && left > 0 {
            at = (*at).next;
            left -= 1;
        }
        at.is_null() && left == 0
    }
}

/// A bit for each block.
struct Blocks([u64; BLOCKS / 64]);

impl Blocks {
    fn has(&self, index: usize) -> bool {
        self.0[index / 64] >> (index % 64) & 1 != 0
    }

    fn add(&mut self, index: usize) {
        self.0[index / 64] |= 1 << (index % 64);
    }
}

/// The free blocks of a page: those on the list and those in the holes. Ends at a block
/// that a list cannot have: without the page's key, or met before.
unsafe fn free_blocks(page: *mut Page, layout: &Layout, holes: u64) -> Result<Blocks, *mut Block> {
    let mut free = Blocks([0; BLOCKS / 64]);
    let mut left = holes;
    while left != 0 {
        if let Some(blocks) = layout.blocks(left.trailing_zeros() as usize) {
            blocks.for_each(|index| free.add(index));
        }
        left &= left - 1;
    }
    // SAFETY: the caller owns the page; a block with its key lies in it.
    unsafe {
        let base = (*page).base;
        // The lines that the walk along the list will wait for, all at once.
        (0..layout.carved).for_each(|index| fetch(base + index * layout.size));
        let mut at = (*page).free;
        while !at.is_null() {
            let index = (at as usize).wrapping_sub(base) / layout.size;
            if index >= layout.carved
                || !(*page).starts_block(at as usize)
                || (*at).key != page as usize
                || free.has(index)
            {
                return Err(at);
            }
            free.add(index);
            at = (*at).next;
        }
    }
    Ok(free)
}

/// Takes the blocks that reach into `empty` off the list, and leaves nothing in them.
unsafe fn unlink(page: *mut Page, layout: &Layout, empty: u64) {
    // SAFETY: the caller owns the page, whose list was just walked.
    unsafe {
        let mut link = &raw mut (*page).free;
        let mut at = *link;
        while !at.is_null() {
            let next = (*at).next;
            let index = (at as usize - (*page).base) / layout.size;
            if layout.reach(index) & empty == 0 {
                *link = at;
                link = &raw mut (*at).next;
            } else {
                (*at).next = core::ptr::null_mut();
                (*at).key = 0;
            }
            at = next;
        }
        *link = core::ptr::null_mut();
    }
}

/// Checks invariants 1 and 3.
///
/// # Safety
/// The caller owns the page.
#[cfg(test)]
pub unsafe fn check(page: *mut Page) {
    // SAFETY: the caller owns the page.
    unsafe {
        let holes = (*page).holes.load(Ordering::Relaxed);
        let Some(layout) = Layout::of(page) else {
            assert_eq!(holes, 0);
            return;
        };
        for at in (0..OS_PAGES).filter(|at| holes >> at & 1 != 0) {
            assert!(at < layout.os_pages && layout.blocks(at).is_some());
        }
        let all = 0..layout.carved;
        let inside = all
            .filter(|&index| layout.reach(index) & holes != 0)
            .count();
        assert_eq!(inside as u32, count(page));
        assert!(free_blocks(page, &layout, holes).is_ok());
    }
}
