//! How much free memory may stay resident.
//!
//! *Dirty* is memory that is free but probably still resident. Each backend that keeps
//! free memory bounds it by amount, inside `free`: a peak that has not recurred goes back
//! at once. Where memory that has just been given back is touched again the program's need
//! recurs, and the allowance grows by half of it, though never beyond what would fill the
//! last peak again, the gaps between what is in use, and the floor; without that both fade by half
//! a second.

use crate::base::atomic::{AtomicUsize, Ordering};
use crate::sys::clock;

/// The allowance of a program whose needs do not recur.
pub const FLOOR: usize = 1 << 20;
/// The part of memory in use that may be dirty besides, so that what is purged has had
/// time to join.
const SLACK: usize = 16;
/// Seconds for which a refusal of the system counts.
const PRESSED: usize = 2;

const TICK_LOOKS: usize = 16;
/// Moments that part a need from one that recurs.
const PAUSE: usize = clock::PER_SECOND / 2;

static PURGED: AtomicUsize = AtomicUsize::new(0);
/// The second of the last refusal.
static REFUSED: AtomicUsize = AtomicUsize::new(0);
/// When the last tick was, in units of `PAUSE`.
static TICK: AtomicUsize = AtomicUsize::new(0);

/// The system has refused memory: for a while nothing is kept beyond the floor, since
/// others (a thread's stack, say) need what the limit leaves.
pub fn press() {
    REFUSED.store(clock::seconds(), Ordering::Relaxed);
}

/// Whether the system has refused memory lately.
pub fn is_pressed() -> bool {
    clock::seconds().wrapping_sub(REFUSED.load(Ordering::Relaxed)) <= PRESSED
}

/// All memory given back so far, in bytes.
pub fn purged() -> usize {
    PURGED.load(Ordering::Relaxed)
}

/// Counts memory that was given back out of pages in use.
pub fn count_purged(bytes: usize) {
    PURGED.fetch_add(bytes, Ordering::Relaxed);
}

/// What one backend has in use and keeps, in bytes. Changed under its lock.
pub struct Budget {
    pub in_use: usize,
    pub dirty: usize,
    /// The most that was ever in use or dirty.
    pub most: usize,
    /// The least that was dirty since `rested` was last asked.
    least: usize,
    /// The most in use lately.
    peak: usize,
    allowance: usize,
    /// Unmapped and not yet mapped again.
    left: usize,
    /// When peak and allowance last faded.
    second: usize,
    /// Counts looks, of which one in `TICK_LOOKS` asks the clock for a tick.
    looks: usize,
    /// The moment when memory was last given back.
    gave: usize,
}

impl Budget {
    pub const fn new() -> Self {
        Budget {
            in_use: 0,
            dirty: 0,
            most: 0,
            least: 0,
            peak: 0,
            allowance: FLOOR,
            left: 0,
            second: 0,
            looks: 0,
            gave: 0,
        }
    }

    /// `bytes` are in use from now on, of which `dirty` were dirty and `again` had been
    /// given back before.
    pub fn take(&mut self, bytes: usize, dirty: usize, again: usize) {
        self.in_use += bytes;
        self.peak = self.peak.max(self.in_use);
        self.dirty -= dirty;
        self.most = self.most.max(self.in_use + self.dirty);
        self.least = self.least.min(self.dirty);
        // What comes back after a pause need not have been kept over it.
        if again > 0 && clock::moments().wrapping_sub(self.gave) < PAUSE {
            self.allowance += again / 2;
            self.second = clock::seconds();
        }
    }

    /// `bytes` in use are free, and dirty.
    pub fn give(&mut self, bytes: usize) {
        self.in_use -= bytes;
        self.dirty += bytes;
    }

    /// A part in use of `from` bytes is `to` bytes long now.
    pub fn resize(&mut self, from: usize, to: usize) {
        self.in_use = self.in_use + to - from;
        self.peak = self.peak.max(self.in_use);
        self.most = self.most.max(self.in_use + self.dirty);
    }

    /// `bytes` of dirty memory were purged.
    pub fn purge(&mut self, bytes: usize) {
        self.dirty -= bytes;
        self.least = self.least.min(self.dirty);
        self.gave = clock::moments();
        PURGED.fetch_add(bytes, Ordering::Relaxed);
    }

    /// A mapping of `bytes` goes, of which `dirty` were dirty.
    pub fn unmap(&mut self, bytes: usize, dirty: usize) {
        self.dirty -= dirty;
        self.least = self.least.min(self.dirty);
        self.left += bytes;
        self.gave = clock::moments();
        PURGED.fetch_add(bytes, Ordering::Relaxed);
    }

    /// `bytes` are mapped anew: how many of them stand for memory that was unmapped.
    pub fn remap(&mut self, bytes: usize) -> usize {
        let part = self.left.min(bytes);
        self.left -= part;
        part
    }

    /// How much has been dirty all the time since this was last asked, in bytes.
    pub fn rested(&mut self) -> usize {
        core::mem::replace(&mut self.least, self.dirty)
    }

    /// Whether half a second has passed since this was last so, for one caller in the process.
    /// Does not ask the clock each time.
    pub fn tick(&mut self) -> bool {
        self.looks = self.looks.wrapping_add(1);
        if !self.looks.is_multiple_of(TICK_LOOKS) {
            return false;
        }
        let now = clock::moments() / PAUSE;
        TICK.load(Ordering::Relaxed) != now && TICK.swap(now, Ordering::Relaxed) != now
    }

    /// Dirty memory above the allowance, in bytes; `hollow` bytes of what is in use are not
    /// resident, and `gaps` bytes may be dirty that do not fit what is asked for.
    pub fn excess(&mut self, hollow: usize, gaps: usize) -> usize {
        if self.dirty <= FLOOR {
            return 0;
        }
        let now = clock::seconds();
        let passed = now.wrapping_sub(self.second).min(usize::BITS as usize - 1);
        self.second = now;
        self.peak = self.in_use + ((self.peak - self.in_use) >> passed);
        self.allowance = (self.allowance >> passed).max(FLOOR);
        let gap = (self.peak - self.in_use).max(FLOOR);
        let allowance = match is_pressed() {
            true => FLOOR,
            false => self.allowance.min(gap + FLOOR + gaps),
        };
        self.dirty
            .saturating_sub(allowance + self.in_use.saturating_sub(hollow) / SLACK)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_peak_that_has_not_recurred_is_in_excess() {
        let mut budget = Budget::new();
        budget.take(100 << 20, 0, 0);
        budget.give(100 << 20);
        assert_eq!(budget.excess(0, 0), (100 << 20) - FLOOR);
    }

    #[test]
    fn a_need_that_recurs_is_allowed_up_to_the_peak() {
        let mut budget = Budget::new();
        for _ in 0..30 {
            let again = budget.excess(0, 0);
            budget.purge(again);
            budget.take(64 << 20, budget.dirty, again);
            budget.give(64 << 20);
        }
        // A second may pass in between, after which half is forgotten.
        assert!(budget.excess(0, 0) <= 32 << 20);
        assert!(budget.dirty <= 64 << 20);
    }

    #[test]
    fn a_peak_that_recurs_may_leave_a_rest() {
        let mut budget = Budget::new();
        for _ in 0..8 {
            let excess = budget.excess(0, 0);
            budget.purge(excess);
            // Whole blocks go back, so that more is used again than was in excess.
            budget.take(4 << 20, budget.dirty.min(4 << 20), excess + FLOOR);
            budget.give(4 << 20);
        }
        budget.dirty = (4 << 20) + FLOOR / 2;
        assert_eq!(budget.excess(0, 0), 0);
    }
}
