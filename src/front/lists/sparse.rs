//! Pages that have become sparse, and when their holes go back.
//!
//! A page of a large heap tells by its bias, without a look at the clock in `free`, when
//! few of its blocks are out. Then it is watched: where nothing was freed into it for a
//! while, compared with how fast its blocks came back before, it has settled, and its
//! holes go back. A heap all of which is being freed makes none.

use super::{Lists, punch, span};
use crate::map::{ListId, Page};
use crate::sys::auxv::os_page;
use crate::sys::clock;

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

impl Lists {
    /// Lists a sparse page as the last of its bin to be looked at.
    unsafe fn wait_sparse(&mut self, page: *mut Page) {
        self.sparse_pages += 1;
        // SAFETY: the page is the caller's and in no list.
        unsafe { self.sparse_in((*page).bin()).push_back(page) };
    }

    /// Takes a sparse page out of its list.
    ///
    /// # Safety
    /// The page is in one of these lists.
    pub(super) unsafe fn leave_sparse(&mut self, page: *mut Page) {
        self.sparse_pages -= 1;
        // SAFETY: as the caller says.
        unsafe { self.sparse_in((*page).bin()).remove(page) };
    }

    /// The sparse page to be looked at next, a bin after the other, out of its list; there is one.
    unsafe fn next_sparse(&mut self) -> *mut Page {
        loop {
            self.turn_of = (self.turn_of + 1) % self.bins();
            let page = self.sparse_in(self.turn_of).head();
            if !page.is_null() {
                // SAFETY: a member of the list.
                unsafe { self.leave_sparse(page) };
                return page;
            }
        }
    }

    /// A page was made. Where it is the first of a large heap, those from before, too, tell from
    /// now on when they are sparse.
    ///
    /// # Safety
    /// The caller owns the pages in the lists.
    pub unsafe fn made(&mut self, page: *mut Page) {
        // SAFETY: members of the lists, which are the caller's.
        unsafe {
            let grows = (*page).cold && !self.grown;
            self.grown = (*page).cold;
            for bin in 0..if grows { self.bins() } else { 0 } {
                for _ in 0..self.waiting_in(bin).len() {
                    let page = self.waiting_in(bin).head();
                    self.leave(page);
                    // One without a block in use, or that tells already, stays as it is.
                    match (*page).kept || (*page).bias != 0 {
                        true => self.wait(bin, page),
                        false => self.add_as(bin, page),
                    }
                }
            }
        }
    }

    /// As `add`, for a page of a large heap.
    #[cold]
    pub(super) unsafe fn add_cold(&mut self, page: *mut Page) {
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
            self.wait((*page).bin(), page);
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
            self.wait_sparse(page);
        }
    }

    /// Looks after a few sparse pages, each in its turn: gives back the holes of those that
    /// have settled.
    ///
    /// # Safety
    /// The caller owns the pages in the lists.
    pub unsafe fn tend(&mut self) {
        if self.sparse_pages == 0 {
            return;
        }
        let now = clock::moments();
        let held = now.wrapping_sub(self.filled) < HOLD;
        for _ in 0..self.sparse_pages.min(LOOKS_SPARSE) {
            // SAFETY: members of the lists, which are the caller's; there is one.
            unsafe {
                let page = self.next_sparse();
                let mut watch = Watch::read(page);
                if ((now as u32).wrapping_sub(watch.due) as i32) < 0 {
                    self.wait_sparse(page);
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
                    self.wait_sparse(page);
                }
            }
        }
    }

    /// Looks after each sparse page once.
    ///
    /// # Safety
    /// As `tend`.
    pub unsafe fn tend_all(&mut self) {
        for _ in 0..self.sparse_pages.div_ceil(LOOKS_SPARSE) {
            // SAFETY: as the caller says.
            unsafe { self.tend() };
        }
    }

    /// Gives the holes of the pages of a bin back.
    ///
    /// # Safety
    /// The caller owns the pages in the lists.
    pub unsafe fn punch_all(&mut self, bin: usize) {
        // SAFETY: members of the lists, which are the caller's.
        unsafe {
            self.waiting_in(bin).iter().for_each(|page| punch(page));
            while !self.sparse_in(bin).head().is_null() {
                let page = self.sparse_in(bin).head();
                self.leave_sparse(page);
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
}
