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
/// Slices that are committed together.
const GROUP: usize = 64;
/// Segments begin at multiples of a huge page.
pub const ALIGN: usize = 2 << 20;

const _: () = assert!(SLICES * size_of::<Page>() == RESERVED * SLICE);

pub struct Segment {
    pub base: usize,
    pub slices: usize,
    /// Slices in free blocks.
    pub free: usize,
    pub dirty: Bitmap,
    pub purged: Bitmap,
    /// A bit for each group of slices that is committed.
    committed: u32,
    /// Whether huge pages have been forbidden: there are holes in it.
    pub holed: bool,
    /// The era of the buddy that mapped it.
    pub era: u32,
    pub next: *mut Segment,
    pub prev: *mut Segment,
}

impl Segment {
    pub const fn new(base: usize, slices: usize, era: u32) -> Self {
        Segment {
            base,
            slices,
            free: 0,
            dirty: Bitmap::new(),
            purged: Bitmap::new(),
            committed: 0,
            holed: false,
            era,
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

    /// Makes the slices `from..to` usable. False if a limit forbids it.
    pub fn commit(&mut self, from: usize, to: usize) -> bool {
        for group in from / GROUP..to.div_ceil(GROUP) {
            if self.committed & 1 << group == 0 {
                let start = group * GROUP;
                let len = GROUP.min(self.slices - start);
                if !vm::commit(self.address(start), len * SLICE) {
                    return false;
                }
                self.committed |= 1 << group;
            }
        }
        true
    }

    /// Whether the slices `from..to` are usable.
    pub fn is_committed(&self, from: usize, to: usize) -> bool {
        let mut groups = from / GROUP..to.div_ceil(GROUP);
        groups.all(|group| self.committed & 1 << group != 0)
    }

    /// Whether no slice is in use.
    pub fn is_empty(&self) -> bool {
        self.free == self.slices - RESERVED
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
