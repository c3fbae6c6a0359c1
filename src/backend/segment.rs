//! A segment: the big aligned reservation that spans are cut from.
//!
//! Its first slice holds the headers of all its slices; the header of a span is that of
//! its first slice.
//!
//! Invariants
//! 1. `free` slices lie in free blocks; a free block of order `o` starts at a multiple
//!    of 2^o and its header has kind `Free` and list `Free`; no other header has both.
//! 2. Slices in use are committed.
//! 3. A bit of `dirty` or `purged` is set only for slices in free blocks, or in a
//!    block in hand to be purged; never both.
//!    A free slice with neither has not been touched since it was mapped.

use crate::base::bitmap::{BITS, Bitmap};
use crate::base::class::SLICE;
use crate::map::{Kind, ListId, Page};
use crate::sys::vm;

/// Slices of a full-sized segment: their headers fill one slice.
pub const SLICES: usize = BITS;
/// The smallest segment, for processes whose address space is limited.
pub const MIN_SLICES: usize = 16;
/// Slices taken by the headers.
pub const RESERVED: usize = 1;
/// Slices that are committed at least, each with a bit of its own.
const GROUP: usize = 16;
/// Groups that are committed together, unless a limit forbids it.
const TOGETHER: usize = 4;
/// Segments begin at multiples of a huge page.
pub const ALIGN: usize = 2 << 20;

const _: () = assert!(SLICES * size_of::<Page>() == RESERVED * SLICE);
const _: () = assert!(SLICES / GROUP <= u32::BITS as usize);

/// What a segment's spans are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    Small,
    Large,
}

pub struct Segment {
    pub base: usize,
    pub slices: usize,
    /// Slices in free blocks.
    pub free: usize,
    pub dirty: Bitmap,
    pub purged: Bitmap,
    /// A bit for each group of slices that is committed.
    committed: u32,
    /// Whether huge pages have been asked for.
    pub huge: bool,
    /// Whether huge pages have been forbidden: there are holes in it.
    pub holed: bool,
    /// The era of the buddy that mapped it.
    pub era: u32,
    pub used: Use,
    pub next: *mut Segment,
    pub prev: *mut Segment,
}

impl Segment {
    pub const fn new(base: usize, slices: usize, era: u32, used: Use) -> Self {
        Segment {
            base,
            slices,
            free: 0,
            dirty: Bitmap::new(),
            purged: Bitmap::new(),
            committed: 0,
            huge: false,
            holed: false,
            era,
            used,
            next: core::ptr::null_mut(),
            prev: core::ptr::null_mut(),
        }
    }

    /// The header of slice `index`.
    pub fn header(&self, index: usize) -> *mut Page {
        debug_assert!(index < self.slices);
        (self.base as *mut Page).wrapping_add(index)
    }

    /// The slice whose header `page` is.
    pub fn index(&self, page: *const Page) -> usize {
        (page as usize - self.base) / size_of::<Page>()
    }

    pub fn address(&self, index: usize) -> usize {
        self.base + index * SLICE
    }

    /// Makes the slices `from..to` usable, on huge pages where they are `huge` and it has no
    /// holes. False if a limit forbids it.
    pub fn commit(&mut self, from: usize, to: usize, huge: bool) -> bool {
        for group in from / GROUP..to.div_ceil(GROUP) {
            let first = group / TOGETHER * TOGETHER;
            if self.committed & 1 << group == 0
                && !self.commit_groups(first, TOGETHER, huge)
                && !self.commit_groups(group, 1, huge)
            {
                return false;
            }
        }
        true
    }

    /// Commits groups of which none is committed yet.
    fn commit_groups(&mut self, first: usize, count: usize, huge: bool) -> bool {
        let bits = ((1 << count) - 1) << first;
        let start = first * GROUP;
        let len = (count * GROUP).min(self.slices - start);
        let done = self.committed & bits == 0 && vm::commit(self.address(start), len * SLICE);
        if done {
            self.committed |= bits;
            if huge && !self.holed {
                self.huge = true;
                vm::want_huge(self.address(start), len * SLICE);
            }
        }
        done
    }

    /// Whether the slices `from..to` are usable.
    pub fn is_committed(&self, from: usize, to: usize) -> bool {
        let mut groups = from / GROUP..to.div_ceil(GROUP);
        groups.all(|group| self.committed & 1 << group != 0)
    }

    /// Takes the use of those groups around `from..to` away that are free and clean, so that
    /// they count towards no limit.
    pub fn uncommit(&mut self, from: usize, to: usize) {
        for group in from / GROUP..to.div_ceil(GROUP) {
            let start = group * GROUP;
            let end = (start + GROUP).min(self.slices);
            if self.committed & 1 << group != 0
                && self.is_free(start, end)
                && self.dirty.count(start, end) == 0
                && vm::uncommit(self.address(start), (end - start) * SLICE)
            {
                self.committed &= !(1 << group);
            }
        }
    }

    /// Whether the slices `from..to` lie in free blocks.
    fn is_free(&self, mut from: usize, to: usize) -> bool {
        while from < to {
            // The block around a slice begins at a multiple of its own size.
            let around = (0..=self.slices.ilog2()).find_map(|order| {
                let start = from >> order << order;
                self.has_free_block(start, order)
                    .then_some(start + (1 << order))
            });
            match around {
                Some(end) => from = end,
                None => return false,
            }
        }
        true
    }

    /// Whether no slice is in use.
    pub fn is_empty(&self) -> bool {
        self.free == self.slices - RESERVED
    }

    /// Slices in the free block that starts at slice `index`; 0 if none does.
    pub fn free_slices(&self, index: usize) -> usize {
        if index >= self.slices {
            return 0;
        }
        // SAFETY: a header of this segment; the caller holds the buddy's lock.
        let page = unsafe { &*self.header(index) };
        match page.kind == Kind::Free && page.list == ListId::Free {
            true => 1 << page.order,
            false => 0,
        }
    }

    /// Free blocks side by side, from one slice up to another, that hold `slices` from a
    /// multiple of `align` on.
    pub fn find_run(&self, slices: usize, align: usize) -> Option<(usize, usize)> {
        let (mut from, mut at) = (RESERVED, RESERVED);
        while at < self.slices {
            match self.free_slices(at) {
                0 => {
                    at += 1;
                    from = at;
                }
                free => at += free,
            }
            if at >= from.next_multiple_of(align) + slices {
                return Some((from, at));
            }
        }
        None
    }

    /// Whether a free block of `order` starts at slice `index`.
    pub fn has_free_block(&self, index: usize, order: u32) -> bool {
        if index + (1 << order) > self.slices {
            return false;
        }
        // SAFETY: a header of this segment; the caller holds the buddy's lock.
        let page = unsafe { &*self.header(index) };
        page.kind == Kind::Free && page.list == ListId::Free && u32::from(page.order) == order
    }
}
