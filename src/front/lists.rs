//! The pages of a heap that are not active, by bin: lane and class.
//!
//! A page that has been used up goes to the end of its bin's list. While it waits there,
//! blocks come back to it; so the page at the front is the one that has had the longest
//! time to gather some. If it has none, nobody frees into it for now: it is let go, but
//! for a few pages of each bin.
//!
//! A page without a block in use is kept for the next burst, in front of its bin's list,
//! as long as the heap's kept pages are within bounds. Sparse pages: see `sparse`.
//!
//! Invariants: those of `heap`. All of it changes only under the heap's lock, which wraps
//! it.

use super::free::corrupted;
use super::registry;
use crate::backend::budget;
use crate::backend::slab::{self, holes};
use crate::base::atomic::Ordering;
use crate::base::class::{BINS, CLASSES, LANES, SLICE};
use crate::map::{ListId, Page, PageList};
use crate::sys::auxv::os_page;
use core::ptr::null_mut;

mod sparse;

/// Pages of a bin that a heap does not let go, though they have no free block. A free into a
/// page that was let go is slow; but what waits in a heap that sleeps is lost to others.
const KEEP: u32 = 8;
/// Pages of few blocks are used up soon. More of them wait, until so much in bytes waits in all of
/// the heap, or in all heaps; but only so many of those that one search finds in vain, so that the
/// next one need not go by them again.
const FEW: u32 = 32;
const VAIN: u32 = 4;
const WAITING_MAX: usize = 8 << 20;
const WAITING_ALL_MAX: usize = 32 << 20;
/// Pages that a search looks at before a new one is made.
const LOOKS: u32 = 8;
/// Memory in wholly free pages that a heap keeps for the next burst, and that all heaps
/// keep, in bytes; what every heap may keep however many there are.
const KEPT_MAX: usize = 5 << 18;
const KEPT_ALL_MAX: usize = 4 << 20;
const KEPT_MIN: usize = 32 << 10;

/// The lists of one lane, by class.
pub struct Bins {
    /// Pages that wait for their turn.
    waiting: [PageList; CLASSES],
    /// Pages that have become sparse, the next to be looked at first.
    sparse: [PageList; CLASSES],
}

impl Bins {
    const NEW: Bins = Bins {
        waiting: [const { PageList::new(ListId::Waiting) }; CLASSES],
        sparse: [const { PageList::new(ListId::Sparse) }; CLASSES],
    };

    /// Makes them lists without a page.
    pub fn clear(&mut self) {
        self.waiting.fill_with(|| PageList::new(ListId::Waiting));
        self.sparse.fill_with(|| PageList::new(ListId::Sparse));
    }
}

/// What only the holder of the heap's lock touches.
pub struct Lists {
    first: Bins,
    /// Those of the other lanes; null while the heap has one lane only.
    more: *mut [Bins; LANES - 1],
    /// Slices of the pages that wait.
    pub waiting: usize,
    /// How many pages are sparse, and the bin whose turn it is.
    pub sparse_pages: u32,
    turn_of: usize,
    pub returned: PageList,
    pub kept_bytes: usize,
    /// Counts the pages made, to colour them.
    pub turn: u32,
    /// When a hole was last filled.
    pub filled: usize,
    /// Whether the last page made was cold: the heap is large.
    grown: bool,
}

/// Bytes in a page's span.
///
/// # Safety
/// The page is a valid header.
pub unsafe fn span(page: *mut Page) -> usize {
    // SAFETY: a valid header.
    unsafe { usize::from((*page).slices) * SLICE }
}

/// Bytes of a page that are probably resident.
unsafe fn resident(page: *mut Page) -> usize {
    // SAFETY: the caller's page.
    unsafe {
        let carved = ((*page).capacity - (*page).uncarved) as usize * (*page).block_size();
        let holes = (*page).holes.load(Ordering::Relaxed).count_ones() as usize;
        (carved + os_page())
            .min(span(page))
            .saturating_sub(holes * os_page())
    }
}

/// Lets a page go that has no free block: it is full, and nobody's.
///
/// # Safety
/// The page is the caller's and in no list.
unsafe fn let_go(page: *mut Page) {
    // The owner word first: who sees the tally full finds nobody's page.
    // SAFETY: the page is the caller's until the tally says that it is full.
    unsafe {
        (*page).bias = 0;
        (*page).owner.store(0, Ordering::Relaxed);
        (*page).tally.let_go();
    }
}

impl Lists {
    pub const NEW: Lists = Lists {
        first: Bins::NEW,
        more: null_mut(),
        waiting: 0,
        sparse_pages: 0,
        turn_of: 0,
        returned: PageList::new(ListId::Returned),
        kept_bytes: 0,
        turn: 0,
        filled: 0,
        grown: false,
    };

    /// Gives the heap its further lanes, whose lists lie there for ever.
    pub fn widen(&mut self, more: *mut [Bins; LANES - 1]) {
        self.more = more;
    }

    /// How many bins there are.
    #[inline]
    pub fn bins(&self) -> usize {
        if self.more.is_null() { CLASSES } else { BINS }
    }

    /// The lists that a bin is among, and its index there.
    #[inline(always)]
    fn lane_of(&mut self, bin: usize) -> (&mut Bins, usize) {
        if bin < CLASSES {
            return (&mut self.first, bin);
        }
        // SAFETY: a bin beyond the first lane has been counted by `bins`, or is of a page that
        // `settle_lane` has seen: there are lists of more lanes.
        let more = unsafe { &mut *self.more };
        (&mut more[bin / CLASSES - 1], bin % CLASSES)
    }

    /// The pages of a bin that wait.
    #[inline(always)]
    pub fn waiting_in(&mut self, bin: usize) -> &mut PageList {
        let (bins, index) = self.lane_of(bin);
        &mut bins.waiting[index]
    }

    /// The sparse pages of a bin.
    #[inline(always)]
    pub fn sparse_in(&mut self, bin: usize) -> &mut PageList {
        let (bins, index) = self.lane_of(bin);
        &mut bins.sparse[index]
    }

    /// Makes a page from another heap one of lane 0 if this heap has no other lanes.
    ///
    /// # Safety
    /// The page is the caller's and in no list.
    pub unsafe fn settle_lane(&self, page: *mut Page) {
        if self.more.is_null() {
            // SAFETY: as the caller says.
            unsafe { (*page).lane = 0 };
        }
    }

    /// Takes a page with room out of the list of `bin`; null if none is at hand.
    ///
    /// # Safety
    /// The caller owns the pages in the lists.
    pub unsafe fn find(&mut self, bin: usize) -> *mut Page {
        for look in 0..LOOKS {
            // SAFETY: members of the list, which are the caller's.
            unsafe {
                let page = self.waiting_in(bin).head();
                if page.is_null() {
                    break;
                }
                self.leave(page);
                if (*page).has_room() {
                    self.unkeep(page);
                    return page;
                }
                let waits = match (*page).capacity < FEW {
                    true => look < VAIN && self.may_wait(),
                    false => self.waiting_in(bin).len() < KEEP,
                };
                if waits {
                    self.wait(bin, page);
                } else {
                    let_go(page);
                }
            }
        }
        let page = self.sparse_in(bin).head();
        if !page.is_null() {
            // SAFETY: a member of the list; sparse pages have room.
            unsafe { self.leave_sparse(page) };
        }
        page
    }

    /// Lists a page that is in use, with the bias that tells when it has become sparse.
    ///
    /// # Safety
    /// The page is the caller's and in no list, and its bias is 0.
    #[inline]
    pub unsafe fn add(&mut self, page: *mut Page) {
        // SAFETY: as the caller says.
        unsafe { self.add_as((*page).bin(), page) };
    }

    /// As `add`, for a page known to be of `bin`.
    ///
    /// # Safety
    /// As `add`.
    #[inline(always)]
    pub unsafe fn add_as(&mut self, bin: usize, page: *mut Page) {
        // SAFETY: as the caller says.
        unsafe {
            // Not in a small heap, whose pages come by here often.
            if (*page).cold || self.grown && slab::is_among_small(bin % CLASSES) {
                self.add_cold(page);
            } else {
                self.wait(bin, page);
            }
        }
    }

    /// Puts a page at the end of the list of `bin`, its own.
    ///
    /// # Safety
    /// As `add`.
    #[inline(always)]
    unsafe fn wait(&mut self, bin: usize, page: *mut Page) {
        // SAFETY: as the caller says.
        unsafe {
            self.waiting += usize::from((*page).slices);
            self.waiting_in(bin).push_back(page);
        }
    }

    /// Takes a page out of its bin's list.
    ///
    /// # Safety
    /// The page waits in one of these lists.
    #[inline(always)]
    unsafe fn leave(&mut self, page: *mut Page) {
        // SAFETY: as the caller says.
        unsafe {
            self.waiting -= usize::from((*page).slices);
            self.waiting_in((*page).bin()).remove(page);
        }
    }

    /// Whether more pages without a free block may wait.
    fn may_wait(&self) -> bool {
        let most = registry::share(WAITING_ALL_MAX, WAITING_MAX);
        self.waiting * SLICE < most
    }

    /// Lists a page, or gives it back if no block of it is in use.
    ///
    /// # Safety
    /// As `add`.
    pub unsafe fn put(&mut self, page: *mut Page) {
        // SAFETY: as the caller says.
        unsafe {
            if (*page).out() == 0 {
                release(page);
            } else {
                self.add(page);
            }
        }
    }

    /// Keeps a page that has no block in use, if there is room for it among those kept.
    ///
    /// # Safety
    /// The page is the caller's.
    pub unsafe fn keep(&mut self, page: *mut Page) -> bool {
        // SAFETY: as the caller says.
        unsafe {
            let bytes = resident(page);
            let most = match budget::is_pressed() {
                true => KEPT_MIN,
                false => registry::share(KEPT_ALL_MAX, KEPT_MAX).max(KEPT_MIN),
            };
            if self.kept_bytes + bytes > most {
                return false;
            }
            self.kept_bytes += bytes;
            (*page).size = bytes;
            (*page).kept = true;
            true
        }
    }

    /// Takes a page off the account of those kept, if it is on it; its bias is 0 then.
    ///
    /// # Safety
    /// The page is the caller's.
    #[inline]
    pub unsafe fn unkeep(&mut self, page: *mut Page) {
        // SAFETY: as the caller says.
        unsafe {
            if (*page).kept {
                (*page).kept = false;
                (*page).set_bias(0);
                self.kept_bytes -= (*page).size;
            }
        }
    }

    /// Takes a page out of its list.
    ///
    /// # Safety
    /// The page is in one of these lists, `returned` excepted.
    pub unsafe fn remove(&mut self, page: *mut Page) {
        // SAFETY: as the caller says.
        unsafe {
            match (*page).list {
                ListId::Sparse => self.leave_sparse(page),
                _ => self.leave(page),
            }
        }
    }

    /// Puts a page that was just kept in front of its bin's list.
    ///
    /// # Safety
    /// As `add`; the page is `kept`.
    pub unsafe fn put_first(&mut self, page: *mut Page) {
        // SAFETY: as the caller says.
        unsafe {
            self.waiting += usize::from((*page).slices);
            self.waiting_in((*page).bin()).push_front(page);
        }
    }

    /// Gives one kept page of a bin back. False if there is none in its list.
    ///
    /// # Safety
    /// The caller owns the pages in the lists.
    pub unsafe fn release_kept(&mut self, bin: usize) -> bool {
        let page = self.waiting_in(bin).head();
        // SAFETY: a member of the list; kept pages have no block in use.
        unsafe {
            if page.is_null() || !(*page).kept {
                return false;
            }
            self.unkeep(page);
            self.leave(page);
            release(page);
        }
        true
    }
}

/// Gives a page back that has no block in use.
///
/// # Safety
/// As `slab::release`.
pub unsafe fn release(page: *mut Page) {
    // SAFETY: as the caller says.
    unsafe {
        if (*page).holes.load(Ordering::Relaxed) != 0 && !holes::all_free(page) {
            corrupted((*page).free);
        }
        slab::release(page);
    }
}

/// Gives the holes of a page back.
///
/// # Safety
/// The caller owns the page, and has the heap's lock.
pub unsafe fn punch(page: *mut Page) {
    // SAFETY: as the caller says.
    if let Err(block) = unsafe { holes::punch(page) } {
        corrupted(block);
    }
}
