//! The pages of a heap that are not active, by class.
//!
//! A page that has been used up goes to the end of its class's list. While it waits there,
//! blocks come back to it; so the page at the front is the one that has had the longest
//! time to gather some. If it has none, nobody frees into it for now: it is let go, but
//! for a few pages of each class.
//!
//! A page without a block in use is kept for the next burst, in front of its class's list,
//! as long as the heap's kept pages are within bounds.
//!
//! A page that has become sparse is watched, by its bias and without a look at the clock in
//! `free`: where nothing was freed into it for a while, compared with how fast its blocks
//! came back before, it has settled, and its holes go back. A heap all of which is being
//! freed makes none.
//!
//! Invariants: those of `heap`. All of it changes only under the heap's lock, which wraps
//! it.

use super::free::corrupted;
use super::registry;
use crate::backend::slab::{self, holes};
use crate::base::atomic::Ordering;
use crate::base::class::{CLASSES, SLICE};
use crate::map::{ListId, Page, PageList};
use crate::sys::auxv::os_page;
use crate::sys::clock;

/// Pages of a class that a heap does not let go, though they have no free block.
const KEEP: u32 = 8;
/// Pages that a search looks at before a new one is made.
const LOOKS: u32 = 8;
/// Memory in wholly free pages that a heap keeps for the next burst, and that all heaps
/// keep, in bytes; what every heap may keep however many there are.
const KEPT_MAX: usize = 512 << 10;
const KEPT_ALL_MAX: usize = 4 << 20;
const KEPT_MIN: usize = 32 << 10;
/// Blocks out of a sparse page for each of its OS pages: at random, one in seven is a hole.
const SPARSE: usize = 2;
/// A page counts as settled when it was found unchanged twice in a row, each time after this
/// part of the time that its blocks took to come back, within bounds.
const PATIENCE: u32 = 4;
const PATIENCE_MIN: u32 = 128;
const PATIENCE_MAX: u32 = 4 << 10;
/// Moments after a hole was filled in which none is made: the need recurs.
const HOLD: usize = clock::PER_SECOND;
/// Sparse pages looked at each time.
const LOOKS_SPARSE: u32 = 4;
/// Sparse pages among which a page with room is looked for.
const LOOKS_ROOM: usize = 32;

/// What only the holder of the heap's lock touches.
pub struct Lists {
    pub bins: [PageList; CLASSES],
    /// Pages of all classes that have become sparse, the next to be looked at first.
    pub sparse: PageList,
    pub returned: PageList,
    pub kept_bytes: usize,
    /// Counts the pages made, to colour them.
    pub turn: u32,
    /// When a hole was last filled.
    pub filled: usize,
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

/// What is written down of a sparse page, in its `size` and `mapped`.
struct Watch {
    /// Blocks out when it was last looked at.
    out: u32,
    /// Whether that was as many as the time before.
    unchanged: bool,
    /// The moment to look at it next, and from one look to the next.
    due: u32,
    patience: u32,
}

impl Watch {
    unsafe fn write(self, page: *mut Page) {
        // SAFETY: the caller's page.
        unsafe {
            (*page).size = (self.out as usize) << 1 | usize::from(self.unchanged);
            (*page).mapped = (self.patience as usize) << 32 | self.due as usize;
        }
    }

    unsafe fn read(page: *mut Page) -> Watch {
        // SAFETY: the caller's page.
        unsafe {
            Watch {
                out: ((*page).size >> 1) as u32,
                unchanged: (*page).size & 1 != 0,
                due: (*page).mapped as u32,
                patience: ((*page).mapped >> 32) as u32,
            }
        }
    }
}

/// The moment as it is written down, which wraps around.
fn now() -> u32 {
    clock::moments() as u32
}

/// The number of blocks out at which a page counts as sparse.
unsafe fn sparse_from(page: *mut Page) -> u32 {
    // SAFETY: the caller's page.
    unsafe { ((*page).capacity / 2).min((SPARSE * span(page) / os_page()) as u32) }
}

/// The number of blocks out at which the time is taken for the first time.
unsafe fn thin_from(page: *mut Page) -> u32 {
    // SAFETY: the caller's page.
    unsafe { ((*page).capacity * 3 / 4).max(sparse_from(page) + 1) }
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
        bins: [const { PageList::new(ListId::Waiting) }; CLASSES],
        sparse: PageList::new(ListId::Sparse),
        returned: PageList::new(ListId::Returned),
        kept_bytes: 0,
        turn: 0,
        filled: 0,
    };

    /// Takes a page with room out of the list of `class`; null if none is at hand.
    ///
    /// # Safety
    /// The caller owns the pages in the lists.
    pub unsafe fn find(&mut self, class: usize) -> *mut Page {
        let bin = &mut self.bins[class];
        for _ in 0..LOOKS {
            // SAFETY: members of the list, which are the caller's.
            unsafe {
                let page = bin.pop_front();
                if page.is_null() {
                    break;
                }
                if (*page).has_room() {
                    self.unkeep(page);
                    return page;
                }
                if bin.len() < KEEP {
                    bin.push_back(page);
                } else {
                    let_go(page);
                }
            }
        }
        let mut sparse = self.sparse.iter().take(LOOKS_ROOM);
        // SAFETY: as above.
        unsafe {
            let page = sparse.find(|&page| (*page).class as usize == class && (*page).has_room());
            let page = page.unwrap_or(core::ptr::null_mut());
            if !page.is_null() {
                self.sparse.remove(page);
            }
            page
        }
    }

    /// Lists a page that is in use, with the bias that tells when it has become sparse.
    ///
    /// # Safety
    /// The page is the caller's and in no list, and its bias is 0.
    #[inline]
    pub unsafe fn add(&mut self, page: *mut Page) {
        // SAFETY: as the caller says.
        unsafe {
            // Not in a small heap, whose pages come by here often.
            if (*page).cold {
                self.add_cold(page);
            } else {
                self.bins[(*page).class as usize].push_back(page);
            }
        }
    }

    #[cold]
    unsafe fn add_cold(&mut self, page: *mut Page) {
        // SAFETY: as the caller says.
        unsafe {
            let (thin, sparse) = (thin_from(page), sparse_from(page));
            match (*page).out() {
                out if out > thin => self.rest(page, thin),
                out if out > sparse => self.rest(page, sparse),
                _ => self.watch(page, PATIENCE_MAX),
            }
        }
    }

    /// Lists a page until no more than `few` blocks are out.
    unsafe fn rest(&mut self, page: *mut Page, few: u32) {
        // SAFETY: the page is the caller's and in no list.
        unsafe {
            (*page).set_bias(-(few as i16));
            (*page).mapped = now() as usize;
            self.bins[(*page).class as usize].push_back(page);
        }
    }

    /// No more blocks of a listed page are out than `rest` was told.
    ///
    /// # Safety
    /// The page is in one of these lists and owned by the caller.
    pub unsafe fn thinned(&mut self, page: *mut Page) {
        // SAFETY: as the caller says.
        unsafe {
            (*page).set_bias(0);
            let sparse = sparse_from(page);
            if (*page).out() > sparse {
                (*page).set_bias(-(sparse as i16));
                (*page).mapped = now() as usize;
            } else if (*page).list == ListId::Waiting {
                let took = now().wrapping_sub((*page).mapped as u32);
                self.remove(page);
                self.watch(page, took / PATIENCE);
            }
        }
    }

    /// Lists a sparse page, whose bias is 0, until it has settled.
    unsafe fn watch(&mut self, page: *mut Page, patience: u32) {
        let patience = patience.clamp(PATIENCE_MIN, PATIENCE_MAX);
        // SAFETY: the page is the caller's and in no list.
        unsafe {
            let watch = Watch {
                out: (*page).out(),
                unchanged: false,
                due: now().wrapping_add(patience),
                patience,
            };
            watch.write(page);
            self.sparse.push_back(page);
        }
    }

    /// Looks after a few sparse pages, each in its turn: gives back the holes of those that
    /// have settled.
    ///
    /// # Safety
    /// The caller owns the pages in the lists.
    pub unsafe fn tend(&mut self) {
        if self.sparse.len() == 0 {
            return;
        }
        let now = clock::moments();
        let held = now.wrapping_sub(self.filled) < HOLD;
        for _ in 0..self.sparse.len().min(LOOKS_SPARSE) {
            let page = self.sparse.head();
            // SAFETY: a member of the list, which is the caller's.
            unsafe {
                let mut watch = Watch::read(page);
                self.sparse.remove(page);
                if ((now as u32).wrapping_sub(watch.due) as i32) < 0 {
                    self.sparse.push_back(page);
                    continue;
                }
                let unchanged = (*page).out() == watch.out;
                if unchanged && watch.unchanged && !held {
                    punch(page);
                    self.settled(page);
                } else {
                    watch.out = (*page).out();
                    watch.unchanged = unchanged;
                    watch.due = (now as u32).wrapping_add(watch.patience);
                    watch.write(page);
                    self.sparse.push_back(page);
                }
            }
        }
    }

    /// Looks after each sparse page once.
    ///
    /// # Safety
    /// As `tend`.
    pub unsafe fn tend_all(&mut self) {
        for _ in 0..self.sparse.len().div_ceil(LOOKS_SPARSE) {
            // SAFETY: as the caller says.
            unsafe { self.tend() };
        }
    }

    /// Gives the holes of the pages of a class back, and of the sparse ones.
    ///
    /// # Safety
    /// The caller owns the pages in the lists.
    pub unsafe fn punch_all(&mut self, class: usize) {
        // SAFETY: members of the lists, which are the caller's.
        unsafe {
            self.bins[class].iter().for_each(|page| punch(page));
            while !self.sparse.head().is_null() {
                let page = self.sparse.pop_front();
                punch(page);
                self.settled(page);
            }
        }
    }

    /// Lists a sparse page whose holes are gone, until another quarter of what is out has
    /// been freed.
    unsafe fn settled(&mut self, page: *mut Page) {
        // SAFETY: the page is the caller's and in no list.
        unsafe { self.rest(page, ((*page).out() * 3 / 4).min(sparse_from(page))) };
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
            let most = registry::share(KEPT_ALL_MAX, KEPT_MAX).max(KEPT_MIN);
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
                ListId::Sparse => self.sparse.remove(page),
                _ => self.bins[(*page).class as usize].remove(page),
            }
        }
    }

    /// Puts a page that was just kept in front of its class's list.
    ///
    /// # Safety
    /// As `add`; the page is `kept`.
    pub unsafe fn put_first(&mut self, page: *mut Page) {
        // SAFETY: as the caller says.
        unsafe { self.bins[(*page).class as usize].push_front(page) };
    }

    /// Gives one kept page of a class back. False if there is none in its list.
    ///
    /// # Safety
    /// The caller owns the pages in the lists.
    pub unsafe fn release_kept(&mut self, class: usize) -> bool {
        let page = self.bins[class].head();
        // SAFETY: a member of the list; kept pages have no block in use.
        unsafe {
            if page.is_null() || !(*page).kept {
                return false;
            }
            self.unkeep(page);
            self.bins[class].remove(page);
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
