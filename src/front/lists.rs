//! The pages of a heap that are not active, by class.
//!
//! Invariants: those of `heap`. All of it changes only under the heap's lock, which wraps
//! it.

use crate::backend::slab;
use crate::base::atomic::Ordering;
use crate::base::class::{CLASSES, SLICE};
use crate::map::{ListId, Page, PageList};

/// Pages without a free block that a heap keeps per class before it lets one go.
pub const SPENT_MAX: u32 = 8;
/// Partial pages of which the one with the most room is taken.
const LOOKS: usize = 4;
/// Wholly free pages that a heap keeps for the next burst, in bytes.
const KEPT_MAX: usize = 512 << 10;

/// One class's pages that are not active.
pub struct Bin {
    pub partial: PageList,
    pub spent: PageList,
}

/// What only the holder of the heap's lock touches.
pub struct Lists {
    pub bins: [Bin; CLASSES],
    pub returned: PageList,
    pub kept_bytes: usize,
    /// Counts the pages made, to colour them.
    pub turn: u32,
}

impl Lists {
    pub const NEW: Lists = Lists {
        bins: [const {
            Bin {
                partial: PageList::new(ListId::Partial),
                spent: PageList::new(ListId::Spent),
            }
        }; CLASSES],
        returned: PageList::new(ListId::Returned),
        kept_bytes: 0,
        turn: 0,
    };
}

/// Bytes in a page's span.
///
/// # Safety
/// The page is a valid header.
pub unsafe fn span(page: *mut Page) -> usize {
    // SAFETY: a valid header.
    unsafe { (*page).slices as usize * SLICE }
}

impl Bin {
    /// Gives the kept pages back.
    ///
    /// # Safety
    /// The caller owns the pages in the lists.
    pub unsafe fn release_free(&mut self) {
        for list in [&mut self.partial, &mut self.spent] {
            let mut page = list.head();
            while !page.is_null() {
                // SAFETY: a member of the list, whose lock is held; kept pages have no
                // block in use.
                unsafe {
                    let next = (*page).next;
                    if (*page).kept {
                        (*page).kept = false;
                        list.remove(page);
                        slab::release(page);
                    }
                    page = next;
                }
            }
        }
    }
}

impl Lists {
    /// Takes a page with room out of the lists of `class`; null if there is none.
    ///
    /// # Safety
    /// The caller owns the pages in the lists.
    pub unsafe fn find(&mut self, class: usize) -> *mut Page {
        let bin = &mut self.bins[class];
        // SAFETY: members of the lists, which are the caller's.
        unsafe {
            let mut page: *mut Page = core::ptr::null_mut();
            let roomiest = |&page: &*mut Page| (*page).capacity - (*page).used;
            if let Some(partial) = bin.partial.iter().take(LOOKS).max_by_key(roomiest) {
                bin.partial.remove(partial);
                page = partial;
            } else if let Some(spent) = bin.spent.iter().find(|&page| (*page).has_room()) {
                bin.spent.remove(spent);
                page = spent;
            }
            if !page.is_null() && (*page).kept {
                (*page).kept = false;
                self.kept_bytes -= span(page);
            }
            page
        }
    }

    /// Puts a page away that has just been used up, and lets the oldest such page go.
    ///
    /// # Safety
    /// As `find`; the page is the caller's, too, and in no list.
    pub unsafe fn spend(&mut self, class: usize, page: *mut Page) {
        let bin = &mut self.bins[class];
        // SAFETY: the page is the caller's and in no list.
        unsafe {
            bin.spent.push_back(page);
            if bin.spent.len() > SPENT_MAX {
                let oldest = bin.spent.pop_front();
                self.put(oldest);
            }
        }
    }

    /// Puts an owned page where it belongs: partial, given back, or let go as full.
    ///
    /// # Safety
    /// As `spend`.
    pub unsafe fn put(&mut self, page: *mut Page) {
        // SAFETY: the page is the caller's and in no list.
        unsafe {
            let p = &mut *page;
            if p.used == 0 {
                self.kept_bytes -= if p.kept { span(page) } else { 0 };
                p.kept = false;
                slab::release(page);
            } else if p.has_room() {
                self.bins[p.class as usize].partial.push_front(page);
            } else {
                // The owner word first: who sees the tally full finds nobody's page.
                p.owner.store(0, Ordering::Relaxed);
                p.tally.let_go();
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
            if self.kept_bytes + size <= KEPT_MAX {
                self.kept_bytes += size;
                (*page).kept = true;
                return;
            }
            let bin = &mut self.bins[(*page).class as usize];
            match (*page).list {
                ListId::Spent => bin.spent.remove(page),
                _ => bin.partial.remove(page),
            }
            slab::release(page);
        }
    }
}
