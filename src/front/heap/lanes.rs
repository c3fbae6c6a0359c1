//! The further lanes of a heap, and the classes that the fast path leaves to a look at the
//! call.
//!
//! Invariants
//! 1. `lanes` is null or leads to tables that stay for ever; it is set once, under the
//!    heap's lock, before a class is closed.
//! 2. A *closed* class has the empty page in `top`, so that each of its requests takes the slow
//!    path, where the call says which lane serves it. Its active page of lane 0 is in `lanes`.
//!    Its bit changes under the heap's lock.

use super::{ClassSet, Heap, Top};
use crate::backend::meta;
use crate::base::atomic::{AtomicPtr, AtomicUsize, Ordering};
use crate::base::class::{CLASSES, LANES};
use crate::front::lists::{Bins, Lists};
use crate::front::route::Routes;
use crate::map::{self, Page};
use core::cell::UnsafeCell;

/// What a heap has beside its first lane.
pub struct Lanes {
    /// Active pages, of lane 0 for closed classes only.
    pub tops: [Top; LANES],
    bins: UnsafeCell<[Bins; LANES - 1]>,
    /// Bytes to the next sample, which is due below 0. Written by the holder, and by who changes
    /// the mode.
    until: AtomicUsize,
    pub routes: Routes,
}

/// So many bytes that no sample is ever due.
pub const NEVER: usize = isize::MAX as usize;

impl Lanes {
    /// Counts bytes towards the next sample. Says whether it is due. The holder.
    #[inline(always)]
    pub fn counts_down(&self, size: usize) -> bool {
        let until = self.until.load(Ordering::Relaxed).wrapping_sub(size);
        self.until.store(until, Ordering::Relaxed);
        (until as isize) < 0
    }

    /// The next sample is due after so many bytes.
    pub fn count_from(&self, bytes: u64) {
        self.until.store(bytes as usize, Ordering::Relaxed);
    }
}

fn has(set: &ClassSet, class: usize) -> bool {
    set[class / 64].load(Ordering::Relaxed) >> (class % 64) & 1 != 0
}

impl Heap {
    /// The further lanes, if the heap has any.
    #[inline(always)]
    pub fn lanes(&self) -> Option<&Lanes> {
        // Acquire: who finds the tables finds them initialised.
        // SAFETY: invariant 1.
        unsafe { self.lanes.load(Ordering::Acquire).as_ref() }
    }

    /// Whether a class is closed.
    #[inline(always)]
    pub fn is_closed(&self, class: usize) -> bool {
        has(&self.closed, class)
    }

    /// Whether the active page of a bin stands in `top`.
    #[inline]
    pub(super) fn is_in_top(&self, bin: usize) -> bool {
        bin < CLASSES && !has(&self.closed, bin)
    }

    /// The tables that the active page of a bin stands in.
    #[inline]
    pub(super) fn top_of(&self, bin: usize) -> &Top {
        match self.lanes() {
            Some(lanes) if !self.is_in_top(bin) => &lanes.tops[bin / CLASSES],
            _ => &self.top,
        }
    }

    /// The active page of a bin.
    #[inline]
    pub fn active(&self, bin: usize) -> &AtomicPtr<Page> {
        &self.top_of(bin).active[bin % CLASSES]
    }

    /// Gives the heap further lanes, if it has none. False if there is no memory.
    pub fn widen(&self, lists: &mut Lists) -> bool {
        if self.lanes().is_some() {
            return true;
        }
        let lanes = meta::alloc(size_of::<Lanes>(), align_of::<Lanes>()).cast::<Lanes>();
        if lanes.is_null() {
            return false;
        }
        // In place: a copy would need a large stack. What is not written is right as zeroes.
        // SAFETY: fresh memory, which nobody else knows.
        unsafe {
            let fresh = &mut *lanes;
            fresh.tops.iter_mut().for_each(Top::clear);
            fresh.bins.get_mut().iter_mut().for_each(Bins::clear);
            fresh.until = AtomicUsize::new(NEVER);
            lists.widen(fresh.bins.get());
        }
        self.lanes.store(lanes, Ordering::Release);
        true
    }

    /// Closes those classes that `closed` says, and opens all others. Any thread, under the
    /// heap's lock; the heap has further lanes.
    pub fn close_classes(&self, _: &mut Lists, closed: impl Fn(usize) -> bool) {
        for class in 0..CLASSES {
            if has(&self.closed, class) == closed(class) {
                continue;
            }
            let page = self.active(class).load(Ordering::Relaxed);
            self.set_active(class, map::none());
            self.closed[class / 64].fetch_xor(1 << (class % 64), Ordering::Relaxed);
            self.set_active(class, page);
        }
    }
}
