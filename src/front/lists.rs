//! The pages of a heap that are not active, by class.
//!
//! A page that has been used up goes to the end of its class's list. While it waits there,
//! blocks come back to it; so the page at the front is the one that has had the longest
//! time to gather some. If it has none, nobody frees into it for now: it is let go, but
//! for a few pages of each class.
//!
//! Invariants: those of `heap`. All of it changes only under the heap's lock, which wraps
//! it.

use super::registry;
use crate::backend::slab;
use crate::base::atomic::Ordering;
use crate::base::class::{CLASSES, SLICE};
use crate::map::{ListId, Page, PageList};

/// Pages of a class that a heap does not let go, though they have no free block.
const KEEP: u32 = 8;
/// Pages that a search looks at before a new one is made.
const LOOKS: u32 = 8;
/// Wholly free pages that a heap keeps for the next burst, and that all heaps keep, in
/// bytes.
const KEPT_MAX: usize = 512 << 10;
const KEPT_ALL_MAX: usize = 8 << 20;

/// What only the holder of the heap's lock touches.
pub struct Lists {
    pub bins: [PageList; CLASSES],
    pub returned: PageList,
    pub kept_bytes: usize,
    /// Counts the pages made, to colour them.
    pub turn: u32,
}

/// Bytes in a page's span.
///
/// # Safety
/// The page is a valid header.
pub unsafe fn span(page: *mut Page) -> usize {
    // SAFETY: a valid header.
    unsafe { (*page).slices as usize * SLICE }
}

/// Lets a page go that has no free block: it is full, and nobody's.
///
/// # Safety
/// The page is the caller's and in no list.
unsafe fn let_go(page: *mut Page) {
    // The owner word first: who sees the tally full finds nobody's page.
    // SAFETY: the page is the caller's until the tally says that it is full.
    unsafe {
        (*page).owner.store(0, Ordering::Relaxed);
        (*page).tally.let_go();
    }
}

impl Lists {
    pub const NEW: Lists = Lists {
        bins: [const { PageList::new(ListId::Waiting) }; CLASSES],
        returned: PageList::new(ListId::Returned),
        kept_bytes: 0,
        turn: 0,
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
                    if (*page).kept {
                        (*page).kept = false;
                        self.kept_bytes -= span(page);
                    }
                    return page;
                }
                if bin.len() < KEEP {
                    bin.push_back(page);
                } else {
                    let_go(page);
                }
            }
        }
        core::ptr::null_mut()
    }

    /// Lists a page that is in use.
    ///
    /// # Safety
    /// The page is the caller's and in no list.
    pub unsafe fn add(&mut self, page: *mut Page) {
        // SAFETY: as the caller says.
        unsafe { self.bins[(*page).class as usize].push_back(page) };
    }

    /// Lists a page, or gives it back if no block of it is in use.
    ///
    /// # Safety
    /// As `add`; the page is not `kept`.
    pub unsafe fn put(&mut self, page: *mut Page) {
        // SAFETY: as the caller says.
        unsafe {
            if (*page).used == 0 {
                slab::release(page);
            } else {
                self.add(page);
            }
        }
    }

    /// A listed page has no block in use any more: keeps it for the next burst, or gives
    /// it back.
    ///
    /// # Safety
    /// The page is in one of these lists and owned by the caller.
    pub unsafe fn emptied(&mut self, page: *mut Page) {
        // SAFETY: as the caller says.
        unsafe {
            let size = span(page);
            if self.kept_bytes + size <= registry::share(KEPT_ALL_MAX, KEPT_MAX) {
                self.kept_bytes += size;
                (*page).kept = true;
                return;
            }
            self.bins[(*page).class as usize].remove(page);
            slab::release(page);
        }
    }

    /// Gives the kept pages of a class back.
    ///
    /// # Safety
    /// The caller owns the pages in the lists.
    pub unsafe fn release_kept(&mut self, class: usize) {
        let bin = &mut self.bins[class];
        let mut page = bin.head();
        while !page.is_null() {
            // SAFETY: a member of the list; kept pages have no block in use.
            unsafe {
                let next = (*page).next;
                if (*page).kept {
                    (*page).kept = false;
                    self.kept_bytes -= span(page);
                    bin.remove(page);
                    slab::release(page);
                }
                page = next;
            }
        }
    }
}
