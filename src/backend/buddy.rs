//! Spans out of segments: a binary buddy that gives the unused tail back.
//!
//! A request for `n` slices takes the smallest free block that holds them and returns
//! what is behind the n-th slice as smaller blocks; a span that is freed is cut into
//! aligned blocks again, each of which joins its buddy while that is free
//! (K. C. Knowlton, "A fast storage allocator", CACM 1965).
//!
//! There are two buddies: spans of small blocks are dense and may lie on huge pages,
//! spans of large blocks may be mostly untouched.
//!
//! Invariants (and those of `segment`)
//! 1. A free block is in the list of its order: dirty ones in front, clean ones behind.
//! 2. No two free buddies of the same order.
//! 3. Of the empty segments all but one hold dirty memory, once `settle` has run.
//! 4. Segments of an earlier era are in no list and serve no request; their spans in use
//!    are whole, and given up when they are freed.

use super::budget::{self, Budget};
pub use super::segment::Use;
use super::segment::{RESERVED, SLICES, Segment};
use crate::base::atomic::{AtomicUsize, Ordering};
use crate::base::class::SLICE;
use crate::map::{self, Kind, ListId, Page, PageList};
use crate::sys::lock::{Guard, Lock, Rank, RawLock};
use crate::sys::vm;
use core::ptr::null_mut;

mod choose;
mod grow;
mod settle;

pub use settle::{purge_all, purge_rested, release_empty};
use settle::{settle, settle_all, settle_one};

const ORDERS: usize = SLICES.trailing_zeros() as usize + 1;
/// The longest span, in slices.
pub const MAX_SLICES: usize = SLICES / 2;
/// Slices of the first segment of small blocks.
const FIRST: usize = SLICES / 2;
/// With so much in use small blocks lie on huge pages from then on, if they are dense, too.
const HUGE_AFTER: usize = 56 * SLICE;
/// With so much in use it is enough if what came last is dense.
const LARGE_HEAP: usize = 256 * SLICE;

/// A span just taken.
pub struct Span {
    pub page: *mut Page,
    /// Whether it reads as zero throughout.
    pub zeroed: bool,
    /// Bytes in all spans of its use.
    pub in_use: usize,
}

pub struct Buddy {
    lists: [PageList; ORDERS],
    segments: *mut Segment,
    /// Segment records to be used again.
    spare: *mut Segment,
    empty: usize,
    used: Use,
    /// Counts how often it was begun afresh.
    era: u32,
    /// Bytes dense and in use when more was last committed.
    grown: (usize, usize),
    /// Bytes in segments.
    mapped: usize,
    /// Bytes in spans given out, and in dirty slices.
    budget: Budget,
}

// SAFETY: the raw pointers lead to segments that this structure alone manages.
unsafe impl Send for Buddy {}

static SMALL: Lock<Buddy> = Lock::new(Rank::Buddy, Buddy::new(Use::Small));
static LARGE: Lock<Buddy> = Lock::new(Rank::Buddy, Buddy::new(Use::Large));

fn of(used: Use) -> &'static Lock<Buddy> {
    match used {
        Use::Small => &SMALL,
        Use::Large => &LARGE,
    }
}

/// Bytes in pages all of whose blocks have been carved: memory that was touched.
static DENSE: AtomicUsize = AtomicUsize::new(0);

/// Counts a page that has become dense, or that was dense and goes.
pub fn count_dense(slices: usize, dense: bool) {
    match dense {
        true => DENSE.fetch_add(slices * SLICE, Ordering::Relaxed),
        false => DENSE.fetch_sub(slices * SLICE, Ordering::Relaxed),
    };
}

/// Small spans' memory that is in use but was given back: what holes take up.
static HOLLOW: AtomicUsize = AtomicUsize::new(0);

/// Counts bytes of small spans that became holes, or are none any more.
pub fn count_hollow(bytes: usize, hollow: bool) {
    match hollow {
        true => HOLLOW.fetch_add(bytes, Ordering::Relaxed),
        false => HOLLOW.fetch_sub(bytes, Ordering::Relaxed),
    };
}

/// Bytes of small spans that are holes.
pub fn hollow() -> usize {
    HOLLOW.load(Ordering::Relaxed)
}

/// Takes a span of `slices`, at most `MAX_SLICES`, whose first slice within its segment
/// is a multiple of `align` slices, a power of two; with free slices behind it, `room` in
/// all, if a free block has as many. Its header is marked `Kind::Large` and has `start`,
/// `slices` and `segment` set; the page map is prepared, not set.
pub fn alloc(used: Use, slices: usize, align: usize, room: usize) -> Option<Span> {
    debug_assert!((1..=MAX_SLICES).contains(&slices) && align.max(room) <= MAX_SLICES);
    let mut buddy = of(used).lock();
    let mut page = buddy.choose(slices, align, room);
    if page.is_null() && buddy.grow(slices, align) {
        page = buddy.choose(slices, align, 0);
    }
    // SAFETY: null, or just taken.
    let mut span = unsafe { buddy.hand_out(page, slices, align) };
    let tick = buddy.budget.tick();
    // What is new takes the place of what might have been used again.
    match &span {
        Some(span) if span.zeroed => settle_one(buddy),
        _ => drop(buddy),
    }
    if span.is_none() && used == Use::Large {
        // Memory is short: what is free among the small serves, too.
        let mut small = of(Use::Small).lock();
        let page = small.take_run(slices, align, usize::MAX);
        // SAFETY: as above.
        span = unsafe { small.hand_out(page, slices, align) };
    }
    if tick {
        settle_all();
    }
    span
}

/// Gives a span back. Its entries in the page map are cleared already.
///
/// # Safety
/// The page is the header of a span from `alloc` that nobody uses any more.
pub unsafe fn free(page: *mut Page) {
    // SAFETY: passed on.
    unsafe {
        let mut buddy = of_span(page).lock();
        let (segment, index) = place(page);
        if (*segment).era != buddy.era {
            drop(buddy);
            vm::purge((*page).start, (*page).slices as usize * SLICE);
            return;
        }
        buddy.take_in(segment, index, index + (*page).slices as usize);
        settle(buddy);
    }
}

/// Lengthens a span where it stands. False if the slices behind it are not free.
///
/// # Safety
/// As `free`, but the span stays in use; `slices` is more than it has.
pub unsafe fn extend(page: *mut Page, slices: usize) -> bool {
    if slices > MAX_SLICES {
        return false;
    }
    // SAFETY: headers of the span's segment, under the buddy's lock.
    unsafe {
        let mut buddy = of_span(page).lock();
        let (segment, index) = place(page);
        if (*segment).era != buddy.era {
            return false;
        }
        let (from, to) = (index + (*page).slices as usize, index + slices);
        // Free blocks cover all free slices, so the way to `to` leads from head to head.
        let mut at = from;
        while at < to {
            match (*segment).free_slices(at) {
                0 => return false,
                slices => at += slices,
            }
        }
        let end = at;
        if !(*segment).commit(from, to, false) {
            return false;
        }
        buddy.unlist_range(segment, from, end);
        buddy.list_range(segment, to, end);
        buddy.use_range(segment, from, to);
        (*page).slices = slices as u16;
    }
    true
}

/// Shortens a span; the tail's entries in the page map are cleared already.
///
/// # Safety
/// As `extend`; `slices` is at least 1 and less than it has.
pub unsafe fn shrink(page: *mut Page, slices: usize) {
    // SAFETY: the tail is given up by the caller.
    unsafe {
        let mut buddy = of_span(page).lock();
        let (segment, index) = place(page);
        let end = index + (*page).slices as usize;
        (*page).slices = slices as u16;
        if (*segment).era != buddy.era {
            drop(buddy);
            vm::purge(
                (*segment).address(index + slices),
                (end - index - slices) * SLICE,
            );
            return;
        }
        buddy.take_in(segment, index + slices, end);
        settle(buddy);
    }
}

/// Keeps huge pages out of a span's segment, which has holes from now on.
///
/// # Safety
/// The page is the header of a span from `alloc` that the caller has.
pub unsafe fn forbid_huge(page: *mut Page) {
    // SAFETY: the span keeps its segment, which changes under the lock.
    unsafe {
        let _buddy = of_span(page).lock();
        let (segment, _) = place(page);
        if !core::mem::replace(&mut (*segment).holed, true) {
            vm::forbid_huge((*segment).base, (*segment).slices * SLICE);
        }
    }
}

/// Bytes in segments, in spans given out, and dirty.
pub fn sizes() -> (usize, usize, usize) {
    [Use::Small, Use::Large]
        .into_iter()
        .fold((0, 0, 0), |(mapped, in_use, dirty), used| {
            let buddy = of(used).lock();
            let budget = &buddy.budget;
            (
                mapped + buddy.mapped,
                in_use + budget.in_use,
                dirty + budget.dirty,
            )
        })
}

/// Holds the buddy: until the guard is dropped no span of its use is given out or comes
/// back, and no header goes.
pub fn hold(used: Use) -> Guard<'static, Buddy> {
    of(used).lock()
}

/// In an unprepared copy of the process: a buddy that another thread had in hand may be
/// half changed, and begins afresh.
pub fn survive_copy() {
    for lock in [&SMALL, &LARGE] {
        if lock.raw().is_taken() {
            let mut buddy = lock.lock();
            let era = buddy.era + 1;
            *buddy = Buddy {
                era,
                ..Buddy::new(buddy.used)
            };
        }
    }
}

/// The locks, for the fork handlers.
pub fn raw_locks() -> [&'static RawLock; 2] {
    [SMALL.raw(), LARGE.raw()]
}

/// The buddy that a span in use is from.
unsafe fn of_span(page: *mut Page) -> &'static Lock<Buddy> {
    // SAFETY: headers of spans have their segment set, and it stays while they are used.
    of(unsafe { (*place(page).0).used })
}

/// A span header's segment and slice.
unsafe fn place(page: *mut Page) -> (*mut Segment, usize) {
    // SAFETY: headers of spans have their segment set.
    unsafe {
        let segment = (*page).segment as *mut Segment;
        (segment, (*segment).index(page))
    }
}

/// Whether `address` lies in a segment.
pub fn contains(address: usize) -> bool {
    [Use::Small, Use::Large].into_iter().any(|used| {
        let buddy = of(used).lock();
        let mut segment = buddy.segments;
        // SAFETY: the segments of the list, under the lock.
        while let Some(s) = unsafe { segment.as_ref() } {
            if (s.base..s.base + s.slices * SLICE).contains(&address) {
                return true;
            }
            segment = s.next;
        }
        false
    })
}

impl Buddy {
    const fn new(used: Use) -> Self {
        Buddy {
            lists: [const { PageList::new(ListId::Free) }; ORDERS],
            segments: null_mut(),
            spare: null_mut(),
            empty: 0,
            used,
            era: 0,
            grown: (0, 0),
            mapped: 0,
            budget: Budget::new(),
        }
    }

    /// What is in use and what is kept.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Shows `see` the header of each page and of each block that the page map leads to.
    /// They stay while the buddy is held, but what is in them may change meanwhile.
    pub fn visit(&self, mut see: impl FnMut(*mut Page)) {
        let mut segment = self.segments;
        // SAFETY: the segments of the list, under the lock.
        while let Some(s) = unsafe { segment.as_ref() } {
            for index in RESERVED..s.slices {
                // The header of a span is that of its first slice.
                if map::lookup(s.address(index)) == s.header(index) {
                    see(s.header(index));
                }
            }
            segment = s.next;
        }
    }

    /// Makes taken slices a span; where a limit forbids their use, others that are committed.
    /// None for null, or if there are none.
    ///
    /// # Safety
    /// `page` is null, or the header of the first of so many slices that were just taken.
    unsafe fn hand_out(
        &mut self,
        mut page: *mut Page,
        slices: usize,
        align: usize,
    ) -> Option<Span> {
        if page.is_null() {
            return None;
        }
        // SAFETY: the slices were just taken.
        unsafe {
            let (mut segment, mut index) = place(page);
            let huge = !(*segment).is_committed(index, index + slices) && self.is_dense();
            if !(*segment).commit(index, index + slices, huge) {
                budget::press();
                self.list_range(segment, index, index + slices);
                // What is committed elsewhere needs no leave.
                page = self.take(slices, align, true);
                if page.is_null() {
                    return None;
                }
                (segment, index) = place(page);
            }
            let zeroed = self.use_range(segment, index, index + slices);
            (*page).kind = Kind::Large;
            (*page).slices = slices as u16;
            (*page).start = (*segment).address(index);
            Some(Span {
                page,
                zeroed,
                in_use: self.budget.in_use,
            })
        }
    }

    /// Free slices become used ones. Says whether they read as zero.
    unsafe fn use_range(&mut self, segment: *mut Segment, from: usize, to: usize) -> bool {
        // SAFETY: the caller holds the range, and `self` the segment.
        let segment = unsafe { &mut *segment };
        let dirty = segment.dirty.count(from, to);
        let purged = segment.purged.count(from, to);
        segment.dirty.fill(from, to, false);
        segment.purged.fill(from, to, false);
        self.budget
            .take((to - from) * SLICE, dirty * SLICE, purged * SLICE);
        dirty == 0
    }

    /// Used slices become free and dirty ones.
    unsafe fn take_in(&mut self, segment: *mut Segment, from: usize, to: usize) {
        // SAFETY: the caller gives the range up.
        unsafe {
            (*segment).dirty.fill(from, to, true);
            self.budget.give((to - from) * SLICE);
            self.list_range(segment, from, to);
        }
    }

    /// Lists free slices as aligned blocks, joined with their free buddies.
    unsafe fn list_range(&mut self, segment: *mut Segment, from: usize, to: usize) {
        let mut at = from;
        while at < to {
            let order = at.trailing_zeros().min((to - at).ilog2());
            // SAFETY: the range is free and in no list.
            unsafe { self.list(segment, at, order) };
            at += 1 << order;
        }
    }

    /// Lists one free block, joined with its free buddies.
    unsafe fn list(&mut self, segment: *mut Segment, mut index: usize, mut order: u32) {
        // SAFETY: headers of this segment under the buddy's lock.
        unsafe {
            while (*segment).has_free_block(index ^ (1 << order), order) {
                let other = (*segment).header(index ^ (1 << order));
                self.unlist(segment, other);
                index &= !(1 << order);
                order += 1;
            }
            let page = (*segment).header(index);
            (*page).kind = Kind::Free;
            (*page).order = order as u8;
            (*page).segment = segment.cast();
            let list = &mut self.lists[order as usize];
            if (*segment).dirty.count(index, index + (1 << order)) > 0 {
                list.push_front(page);
            } else {
                list.push_back(page);
            }
            (*segment).free += 1 << order;
            if (*segment).is_empty() {
                self.empty += 1;
            }
        }
    }

    unsafe fn unlist(&mut self, segment: *mut Segment, page: *mut Page) {
        // SAFETY: the page heads a listed block of this segment.
        unsafe {
            if (*segment).is_empty() {
                self.empty -= 1;
            }
            let order = (*page).order as usize;
            self.lists[order].remove(page);
            (*segment).free -= 1 << order;
        }
    }
}

#[cfg(test)]
mod tests;
