//! Pages that change their home.

use super::{Heap, Lists};
use crate::base::atomic::Ordering;
use crate::map::{Page, PageList};

/// Pages that are taken over at a time.
const PAGES: usize = 4;

impl Heap {
    /// Takes over all pages of `from`, which is left without any.
    ///
    /// # Safety
    /// The caller holds the life of both, and both locks.
    pub unsafe fn take_over(&self, lists: &mut Lists, from: &Heap, theirs: &mut Lists) {
        // SAFETY: the pages in the lists of `from` are the caller's, too.
        unsafe {
            from.release_free(theirs);
            for bin in 0..theirs.bins() {
                let active = from.clear_active(theirs, bin);
                if !active.is_null() {
                    self.adopt(lists, active);
                }
                self.adopt_all(lists, theirs.waiting_in(bin));
                self.adopt_all(lists, theirs.sparse_in(bin));
            }
            theirs.waiting = 0;
            theirs.sparse_pages = 0;
            self.take_returned(lists, theirs);
        }
    }

    unsafe fn adopt_all(&self, lists: &mut Lists, from: &mut PageList) {
        loop {
            // SAFETY: the caller has both lists.
            unsafe {
                let page = from.pop_front();
                if page.is_null() {
                    return;
                }
                self.adopt(lists, page);
            }
        }
    }

    /// Takes over a few pages of `bin` that have room. Says whether there are any.
    ///
    /// # Safety
    /// As `take_over`.
    pub unsafe fn take_some(
        &self,
        lists: &mut Lists,
        from: &Heap,
        theirs: &mut Lists,
        bin: usize,
    ) -> bool {
        if bin >= theirs.bins() {
            return false;
        }
        // SAFETY: the pages in the lists of `from` are the caller's, too.
        unsafe {
            let active = from.clear_active(theirs, bin);
            if !active.is_null() {
                theirs.put(active);
            }
            let mut found = false;
            for _ in 0..PAGES {
                let page = theirs.find(bin);
                if page.is_null() {
                    break;
                }
                self.adopt(lists, page);
                found = true;
            }
            found
        }
    }

    unsafe fn adopt(&self, lists: &mut Lists, page: *mut Page) {
        // SAFETY: the page is the caller's and in no list.
        unsafe {
            (*page).home.store(self.address(), Ordering::Release);
            (*page).set_owner(self.address());
            (*page).set_bias(0);
            lists.settle_lane(page);
            lists.put(page);
        }
    }

    /// Takes over the pages that were returned to another heap: full ones, which nobody
    /// owns. Its holder may go on meanwhile, or sleep.
    ///
    /// # Safety
    /// The caller holds the life of this heap, and both locks.
    pub unsafe fn take_returned(&self, lists: &mut Lists, theirs: &mut Lists) {
        loop {
            // SAFETY: full pages; a new home is set under the lock of the old one.
            unsafe {
                let page = theirs.returned.pop_front();
                if page.is_null() {
                    return;
                }
                (*page).home.store(self.address(), Ordering::Release);
                self.take_back(lists, page);
            }
        }
    }
}
