//! The header of a page, and lists of pages.
//!
//! A page is a span of slices that holds equal blocks (slab), one block (buddy, system), or
//! blocks of mixed sizes (arena). Its header stands apart from it, so that nothing a program
//! writes past the end of a block can reach it.
//!
//! Invariants of a slab page
//! 1. Block `i` lies at `base + i * size`, for i < `capacity`; all within the span.
//! 2. capacity = uncarved + |free| + blocks in holes + blocks out (in callers' hands, or
//!    on their way through a chain or a mailbox) + tally count; used = blocks out + bias.
//!    An owner's free that makes `used` 0 takes the slow path: with the bias 0 the page
//!    is empty; a bias of 1 keeps an active page on the fast path for good, and a bias
//!    below 0 tells when a page has become sparse.
//! 3. `owner` is the heap that allocates from the page, marked with `COLD` if `cold`; or
//!    0 while the page is full: exactly while the tally is full. `free`, `used` and `uncarved` are the owner's.
//! 4. `home` is the owner or, while the page is full, the heap that let it go.
//! 5. A page is in at most one list, named by `list`; lists change under the lock of
//!    the heap they belong to.

use crate::base::atomic::{AtomicU64, AtomicUsize, Ordering};
use crate::base::block::Block;
use crate::base::class;
use crate::base::tally::Tally;
use core::ptr::null_mut;

/// What a page is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Kind {
    /// A free span, or part of one.
    Free,
    /// Equal blocks of a size class.
    Slab,
    /// Equal blocks that are samples: see `front::sampler`.
    Sampled,
    /// One block in a span.
    Large,
    /// One block with a mapping of its own.
    System,
    /// Blocks of mixed sizes: a chunk.
    Arena,
}

impl Kind {
    /// Whether a page holds blocks of a size class.
    pub fn has_equal_blocks(self) -> bool {
        matches!(self, Kind::Slab | Kind::Sampled)
    }
}

/// Which list of its heap a slab page is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum ListId {
    None,
    /// Waits for its turn to be allocated from.
    Waiting,
    /// Has become sparse: watched until nothing has been freed into it for a while.
    Sparse,
    /// Has room for samples.
    Sampled,
    /// A free span.
    Free,
    /// A block with a mapping of its own, in use.
    Mapped,
    /// Full, but something was freed into it: waits for its home.
    Returned,
}

/// Mark in an owner word: the page is of a large heap, whose blocks have often left the
/// caches when they are freed. Looking at their keys would wait for memory, so only the
/// page's last freed block is compared, and keys are looked at when blocks are reused.
pub const COLD: usize = 1;

/// A page's header. Two cache lines: the first is the owner's, written at each allocation
/// and free; the second is what those who free look at, and hardly ever changes.
#[repr(C, align(128))]
pub struct Page {
    /// Free blocks, the last freed first.
    pub free: *mut Block,
    pub used: u32,
    pub uncarved: u32,
    pub next: *mut Page,
    pub prev: *mut Page,
    /// Bytes the caller may use, for large and system pages. For slab pages what their
    /// heap has written down: the bytes of a kept one, the blocks out of a sparse one.
    pub size: usize,
    /// The segment that a span's header belongs to; null for system pages.
    pub segment: *mut u8,
    /// Slices in the span.
    pub slices: u16,
    /// What `used` has more than there are blocks out.
    pub bias: i16,
    /// For free spans: log2 of the slices.
    pub order: u8,
    /// For slab pages: the lane that it is of.
    pub lane: u8,
    pub list: ListId,
    /// Whether the heap keeps the page for the next burst though all its blocks are free;
    /// for an active page, whether they have been. For a large block: it is on a shelf.
    pub kept: bool,
    /// Bytes of the mapping, for system pages. The moment to look at a sparse one again.
    pub mapped: usize,

    pub owner: AtomicUsize,
    /// Where block 0 lies; for large and system pages, the block.
    pub base: usize,
    /// See `base::class`.
    pub magic: u64,
    /// Blocks of a slab page. Of large and system pages: a mark of those that are samples.
    pub capacity: u32,
    pub class: u8,
    pub kind: Kind,
    /// Whether the owner word carries `COLD`.
    pub cold: bool,
    /// Whether uncarved blocks (slab) or the whole block read as zero.
    pub zeroed: bool,
    pub tally: Tally,
    /// See invariant 4. For a chunk, the address of its record.
    pub home: AtomicUsize,
    /// Start of the mapping or span in memory.
    pub start: usize,
    /// A bit for each OS page of a slab page that is a hole: see `slab::holes`. Written by
    /// the owner, read by all.
    pub holes: AtomicU64,
}

const _: () = assert!(size_of::<Page>() == 128 && core::mem::offset_of!(Page, owner) == 64);

impl Page {
    /// A page with nothing in it, which matches no heap.
    pub const fn empty() -> Page {
        Page {
            free: null_mut(),
            used: 0,
            class: 0,
            kind: Kind::Free,
            cold: false,
            zeroed: false,
            owner: AtomicUsize::new(0),
            base: 0,
            magic: 0,
            capacity: 0,
            uncarved: 0,
            tally: Tally::new(),
            home: AtomicUsize::new(0),
            next: null_mut(),
            prev: null_mut(),
            size: 0,
            segment: null_mut(),
            slices: 0,
            bias: 0,
            order: 0,
            lane: 0,
            list: ListId::None,
            kept: false,
            start: 0,
            mapped: 0,
            holes: AtomicU64::new(0),
        }
    }

    /// Blocks out of a slab page.
    #[inline]
    pub fn out(&self) -> u32 {
        self.used.wrapping_sub(i32::from(self.bias) as u32)
    }

    /// Sets what `used` has more than there are blocks out. The owner.
    #[inline]
    pub fn set_bias(&mut self, bias: i16) {
        self.used = self.out().wrapping_add(i32::from(bias) as u32);
        self.bias = bias;
    }

    /// The lane and size class of this slab page, as one number: see `class::bin_of`.
    #[inline(always)]
    pub fn bin(&self) -> usize {
        class::bin_of(self.lane.into(), self.class.into())
    }

    /// Bytes in a block of this slab page.
    #[inline(always)]
    pub fn block_size(&self) -> usize {
        class::info(self.class as usize).size as usize
    }

    /// Whether `address` is where a block of this slab page starts.
    #[inline(always)]
    pub fn starts_block(&self, address: usize) -> bool {
        let offset = address.wrapping_sub(self.base) as u64;
        offset.wrapping_mul(self.magic) < self.magic
    }

    /// The start of the slab block that `address` lies in, if it lies in one.
    pub fn block_around(&self, address: usize) -> Option<usize> {
        let size = self.block_size();
        let index = address.checked_sub(self.base)? / size;
        (index < self.capacity as usize).then(|| self.base + index * size)
    }

    /// Whether a block can be had without asking anybody.
    #[inline]
    pub fn has_room(&self) -> bool {
        !self.free.is_null() || u64::from(self.uncarved) | self.holes.load(Ordering::Relaxed) != 0
    }

    /// Whether the heap at address `heap` allocates from this page.
    #[inline(always)]
    pub fn is_owned_by(&self, heap: usize) -> bool {
        self.owner.load(Ordering::Relaxed) & !COLD == heap
    }

    /// Makes the heap at address `heap` the owner.
    pub fn set_owner(&self, heap: usize) {
        self.owner
            .store(heap | (usize::from(self.cold) * COLD), Ordering::Relaxed);
    }
}

/// A doubly linked list of pages.
pub struct PageList {
    head: *mut Page,
    tail: *mut Page,
    len: u32,
    id: ListId,
}

impl PageList {
    pub const fn new(id: ListId) -> Self {
        PageList {
            head: null_mut(),
            tail: null_mut(),
            len: 0,
            id,
        }
    }

    pub fn head(&self) -> *mut Page {
        self.head
    }

    pub fn len(&self) -> u32 {
        self.len
    }

    /// The pages from the front.
    pub fn iter(&self) -> Members<'_> {
        Members {
            next: self.head,
            _list: core::marker::PhantomData,
        }
    }

    /// Adds a page in front.
    ///
    /// # Safety
    /// The page is a valid header in no list, and the list's lock is held.
    pub unsafe fn push_front(&mut self, page: *mut Page) {
        // SAFETY: the caller's page and, by invariant 5, members of this list.
        unsafe {
            debug_assert_eq!((*page).list, ListId::None);
            (*page).list = self.id;
            (*page).prev = null_mut();
            (*page).next = self.head;
            match self.head {
                head if head.is_null() => self.tail = page,
                head => (*head).prev = page,
            }
        }
        self.head = page;
        self.len += 1;
    }

    /// Adds a page at the end.
    ///
    /// # Safety
    /// As `push_front`.
    pub unsafe fn push_back(&mut self, page: *mut Page) {
        // SAFETY: as in `push_front`.
        unsafe {
            debug_assert_eq!((*page).list, ListId::None);
            (*page).list = self.id;
            (*page).next = null_mut();
            (*page).prev = self.tail;
            match self.tail {
                tail if tail.is_null() => self.head = page,
                tail => (*tail).next = page,
            }
        }
        self.tail = page;
        self.len += 1;
    }

    /// Takes a page out.
    ///
    /// # Safety
    /// The page is in this list, and the list's lock is held.
    pub unsafe fn remove(&mut self, page: *mut Page) {
        // SAFETY: the page and its neighbours are members of this list.
        unsafe {
            debug_assert_eq!((*page).list, self.id);
            let (prev, next) = ((*page).prev, (*page).next);
            match prev {
                prev if prev.is_null() => self.head = next,
                prev => (*prev).next = next,
            }
            match next {
                next if next.is_null() => self.tail = prev,
                next => (*next).prev = prev,
            }
            (*page).list = ListId::None;
        }
        self.len -= 1;
    }

    /// Takes the first page out, or null.
    ///
    /// # Safety
    /// The list's lock is held.
    pub unsafe fn pop_front(&mut self) -> *mut Page {
        let page = self.head;
        if !page.is_null() {
            // SAFETY: the head is a member.
            unsafe { self.remove(page) };
        }
        page
    }
}

/// Iterates over the pages of a list. The list must not change meanwhile.
pub struct Members<'a> {
    next: *mut Page,
    _list: core::marker::PhantomData<&'a PageList>,
}

impl Iterator for Members<'_> {
    type Item = *mut Page;
    fn next(&mut self) -> Option<*mut Page> {
        let page = self.next;
        if page.is_null() {
            return None;
        }
        // SAFETY: a member of the list is a valid header.
        self.next = unsafe { (*page).next };
        Some(page)
    }
}
