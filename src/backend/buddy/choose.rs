//! Which free slices serve a request.

use super::{Buddy, ORDERS, place};
use crate::backend::segment::Segment;
use crate::map::Page;
use core::ptr::null_mut;

/// Larger requests, in slices, are placed side by side, in the first run of free slices that holds
/// them, without regard to powers of two: where sizes are mixed less lies idle between them.
const SIDE_BY_SIDE: usize = 4;
/// Segments that are looked at for such a run before powers of two are tried.
const LOOKS: usize = 32;

impl Buddy {
    /// Takes `slices`, with room behind them if a free block has it; null if there are none.
    pub(super) fn choose(&mut self, slices: usize, align: usize, room: usize) -> *mut Page {
        let mut page = null_mut();
        if slices > SIDE_BY_SIDE && room <= slices {
            page = self.take_run(slices, align, LOOKS);
        }
        if page.is_null() {
            page = self.take(slices, align.max(room), false);
        }
        if page.is_null() && room > slices {
            page = self.take(slices, align, false);
        }
        if page.is_null() && slices > 1 {
            page = self.take_run(slices, align, usize::MAX);
        }
        page
    }

    /// Takes the smallest block that has `slices`, and those `committed` if so wished, and
    /// cuts it; null if there is none.
    pub(super) fn take(&mut self, slices: usize, align: usize, committed: bool) -> *mut Page {
        let order = slices.max(align).next_power_of_two().trailing_zeros() as usize;
        for order in order..ORDERS {
            let mut page = self.lists[order].head();
            if committed {
                page = self.committed(order, slices);
            }
            if !page.is_null() {
                // SAFETY: a listed block; the tail is part of it.
                unsafe {
                    let (segment, index) = place(page);
                    self.unlist(segment, page);
                    self.list_range(segment, index + slices, index + (1 << order));
                }
                return page;
            }
        }
        null_mut()
    }

    /// The first free block of `order` whose first `slices` are committed, or null.
    fn committed(&self, order: usize, slices: usize) -> *mut Page {
        let mut all = self.lists[order].iter();
        let found = all.find(|&page| {
            // SAFETY: a listed block under the lock.
            unsafe {
                let (segment, index) = place(page);
                (*segment).is_committed(index, index + slices)
            }
        });
        found.unwrap_or(null_mut())
    }

    /// Takes a run of free slices in one of the first `looks` segments, also such that no single
    /// block has: several lie side by side. Null if there is none.
    pub(super) fn take_run(&mut self, slices: usize, align: usize, looks: usize) -> *mut Page {
        let mut segment = self.segments;
        // SAFETY: the segments of the list, under the lock; the run is in listed blocks.
        unsafe {
            let mut left = looks;
            while left > 0
                && let Some(s) = segment.as_ref()
            {
                left -= 1;
                if s.free >= slices
                    && let Some((from, to)) = s.find_run(slices, align)
                {
                    let start = from.next_multiple_of(align);
                    let page = s.header(start);
                    self.unlist_range(segment, from, to);
                    self.list_range(segment, from, start);
                    self.list_range(segment, start + slices, to);
                    (*page).segment = segment.cast();
                    return page;
                }
                segment = s.next;
            }
        }
        null_mut()
    }

    /// Takes the free blocks that make up `from..to` out of their lists.
    ///
    /// # Safety
    /// The range begins and ends with a listed block, and there are only such in it.
    pub(super) unsafe fn unlist_range(&mut self, segment: *mut Segment, from: usize, to: usize) {
        let mut at = from;
        while at < to {
            // SAFETY: as the caller says.
            unsafe {
                let head = (*segment).header(at);
                at += (*segment).free_slices(at);
                self.unlist(segment, head);
            }
        }
    }
}
