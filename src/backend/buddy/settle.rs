//! What a buddy gives back to the system, and when.

use super::{Buddy, ORDERS, Use, hollow, of, place};
use crate::backend::segment::{RESERVED, Segment};
use crate::backend::{budget, system};
use crate::base::class::SLICE;
use crate::map::Kind;
use crate::sys::lock::Guard;
use crate::sys::vm;

/// The part of memory in use that free spans between it may have, where needs recur: with mixed
/// sizes not all of them fit.
const GAPS: usize = 8;
/// The least that is purged at once, in bytes, if there is as much.
const PURGE: usize = 512 << 10;

/// Gives back what need not be kept. Twice a second also what the others keep: a backend
/// that is not used any more does not look at its own.
pub(super) fn settle(mut buddy: Guard<'_, Buddy>) {
    let tick = buddy.budget.tick();
    settle_one(buddy);
    if tick {
        settle_all();
    }
}

/// Gives back what no backend need keep.
#[cold]
pub(super) fn settle_all() {
    for used in [Use::Small, Use::Large] {
        settle_one(of(used).lock());
    }
    system::settle();
}

/// Unmaps empty segments but one, which the next need may find, and purges until dirty
/// memory is within its allowance. The lock is given up around each call of the kernel,
/// with the segment or the block in hand.
pub(super) fn settle_one(mut buddy: Guard<'_, Buddy>) {
    let mut gone = true;
    loop {
        // Where addresses are short they go back even if the memory might be kept.
        if buddy.empty > 1
            && gone
            && let Some(segment) = buddy.take_empty(budget::is_pressed())
        {
            (buddy, gone) = unmap(buddy, segment);
            continue;
        }
        let excess = buddy.excess();
        if excess == 0 {
            return;
        }
        match purge_one(buddy, excess.max(PURGE)) {
            Some(again) => buddy = again,
            None => return,
        }
    }
}

/// Purges about `enough` bytes of the largest dirty block, with the lock given up around the
/// call of the kernel. `None` if there is none, or if the kernel refuses.
fn purge_one(mut buddy: Guard<'_, Buddy>, enough: usize) -> Option<Guard<'_, Buddy>> {
    let (segment, from, to) = buddy.take_dirty(enough)?;
    let used = buddy.used;
    drop(buddy);
    // SAFETY: the segment stays while a block of it is in hand.
    let start = unsafe { (*segment).address(from) };
    let purged = vm::purge(start, (to - from) * SLICE);
    let mut buddy = of(used).lock();
    // SAFETY: the block is in hand.
    unsafe { buddy.put_back(segment, from, to, purged) };
    purged.then_some(buddy)
}

/// Purges as much as has been dirty since the last call.
pub fn purge_rested() {
    release_empty();
    for used in [Use::Small, Use::Large] {
        let mut buddy = of(used).lock();
        let rested = buddy.budget.rested();
        let stays = buddy.budget.dirty.saturating_sub(rested);
        while buddy.budget.dirty > stays
            && let Some(again) = purge_one(buddy, usize::MAX)
        {
            buddy = again;
        }
    }
}

/// Unmaps all empty segments and purges all that is free.
pub fn purge_all() {
    release_empty();
    for used in [Use::Small, Use::Large] {
        let mut buddy = of(used).lock();
        buddy.suspect_huge();
        while let Some(again) = purge_one(buddy, usize::MAX) {
            buddy = again;
        }
    }
}

/// Unmaps all empty segments: memory is short.
pub fn release_empty() {
    for used in [Use::Small, Use::Large] {
        let mut buddy = of(used).lock();
        let mut gone = true;
        while gone && let Some(segment) = buddy.take_empty(true) {
            (buddy, gone) = unmap(buddy, segment);
        }
    }
}

/// Unmaps a segment in hand: out of every list. False if the kernel refuses.
fn unmap(mut buddy: Guard<'_, Buddy>, segment: *mut Segment) -> (Guard<'_, Buddy>, bool) {
    let used = buddy.used;
    drop(buddy);
    // SAFETY: the segment is in hand.
    let (base, slices) = unsafe { ((*segment).base, (*segment).slices) };
    let gone = vm::unmap(base, slices * SLICE);
    let purged = gone || vm::purge(base, slices * SLICE);
    buddy = of(used).lock();
    // Else the kernel's table of mappings is full; at best the memory was purged.
    if gone || !buddy.adopt(segment, base, slices, slices, !purged) {
        // SAFETY: the record is in nobody's hands but ours.
        unsafe { (*segment).next = buddy.spare };
        buddy.spare = segment;
    }
    (buddy, gone)
}

impl Buddy {
    /// Dirty memory above the allowance, in bytes. What holes take up is not in use.
    fn excess(&mut self) -> usize {
        let hollow = match self.used {
            Use::Small => hollow(),
            Use::Large => 0,
        };
        self.budget.excess(hollow, self.budget.in_use / GAPS)
    }

    /// Counts free slices as dirty that nobody has touched, but that may lie on huge pages with
    /// others that were.
    fn suspect_huge(&mut self) {
        for order in 0..ORDERS {
            for page in self.lists[order].iter() {
                // SAFETY: a listed block under the lock.
                unsafe {
                    let (segment, from) = place(page);
                    let s = &mut *segment;
                    for at in from..from + (1 << order) {
                        let known = s.dirty.count(at, at + 1) + s.purged.count(at, at + 1);
                        if s.huge && known == 0 && s.is_committed(at, at + 1) {
                            s.dirty.fill(at, at + 1, true);
                            self.budget.dirty += SLICE;
                        }
                    }
                }
            }
        }
    }

    /// Takes the largest dirty block in hand, its slices marked as purged; or only its end,
    /// if there is `enough` dirty in it. Blocks are used from their beginning.
    fn take_dirty(&mut self, enough: usize) -> Option<(*mut Segment, usize, usize)> {
        for order in (0..ORDERS).rev() {
            let page = self.lists[order].head();
            if page.is_null() {
                continue;
            }
            // SAFETY: a listed block under the lock.
            unsafe {
                let (segment, begin) = place(page);
                let to = begin + (1 << order);
                let s = &mut *segment;
                if s.dirty.count(begin, to) > 0 {
                    self.unlist(segment, page);
                    let mut from = to;
                    let mut dirty = 0;
                    while from > begin && dirty < enough {
                        from -= 1;
                        dirty += s.dirty.count(from, from + 1) * SLICE;
                    }
                    (*s.header(from)).kind = Kind::Large;
                    s.dirty.move_to(&mut s.purged, from, to);
                    self.budget.purge(dirty);
                    self.list_range(segment, begin, from);
                    return Some((segment, from, to));
                }
            }
        }
        None
    }

    /// Lists a block again that `take_dirty` took. Where the kernel refused to purge it,
    /// its bytes are still there.
    unsafe fn put_back(&mut self, segment: *mut Segment, from: usize, to: usize, purged: bool) {
        // SAFETY: the block is in the caller's hand.
        unsafe {
            if !purged {
                (*segment).purged.fill(from, to, false);
                (*segment).dirty.fill(from, to, true);
                self.budget.dirty += (to - from) * SLICE;
            }
            self.list_range(segment, from, to);
            if purged && budget::is_pressed() {
                (*segment).uncommit(from, to);
            }
        }
    }

    /// Takes an empty segment out of every list: a clean one, or any.
    fn take_empty(&mut self, any: bool) -> Option<*mut Segment> {
        let mut segment = self.segments;
        // SAFETY: the segments of the list, and listed blocks of an empty one.
        unsafe {
            while let Some(s) = segment.as_ref() {
                if s.is_empty() && (any || s.dirty.count(0, s.slices) == 0) {
                    break;
                }
                segment = s.next;
            }
            if segment.is_null() {
                return None;
            }
            let mut at = RESERVED;
            while at < (*segment).slices {
                let page = (*segment).header(at);
                at += 1 << (*page).order;
                self.unlist(segment, page);
            }
            let dirty = (*segment).dirty.count(0, (*segment).slices) * SLICE;
            self.budget.unmap((*segment).slices * SLICE, dirty);
            let (prev, next) = ((*segment).prev, (*segment).next);
            match prev {
                prev if prev.is_null() => self.segments = next,
                prev => (*prev).next = next,
            }
            if !next.is_null() {
                (*next).prev = prev;
            }
            self.mapped -= (*segment).slices * SLICE;
        }
        Some(segment)
    }
}
