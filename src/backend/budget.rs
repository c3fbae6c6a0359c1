//! How much free memory may stay resident.
//!
//! *Dirty* is memory that is free but probably still resident. It is bounded by amount,
//! inside `free`: a peak that has not recurred goes back at once, and an idle process
//! keeps no peak. Where purged memory is touched again the program's need recurs, and
//! the allowance grows by half of it; after a second without that it shrinks by
//! half at the next look.

use crate::base::atomic::{AtomicBool, AtomicUsize, Ordering};
use crate::sys::clock;

/// The allowance of a program whose needs do not recur.
pub const FLOOR: usize = 1 << 20;
/// The part of memory in use that may be dirty besides.
const SLACK: usize = 16;
/// Looks between two looks at the clock.
const CLOCK_EVERY: usize = 16;

static DIRTY: AtomicUsize = AtomicUsize::new(0);
static ALLOWANCE: AtomicUsize = AtomicUsize::new(FLOOR);
static PRESSED: AtomicBool = AtomicBool::new(false);
static PURGED: AtomicUsize = AtomicUsize::new(0);
/// Unmapped and not yet mapped again.
static LEFT: AtomicUsize = AtomicUsize::new(0);
static LOOKS: AtomicUsize = AtomicUsize::new(0);
/// The second of the last growth or shrinking.
static STAMP: AtomicUsize = AtomicUsize::new(0);

/// The system has refused memory: from now on nothing is kept beyond the floor, since
/// others (a thread's stack, say) need what the limit leaves.
pub fn press() {
    PRESSED.store(true, Ordering::Relaxed);
    ALLOWANCE.store(FLOOR, Ordering::Relaxed);
}

/// Whether the system has refused memory.
pub fn is_pressed() -> bool {
    PRESSED.load(Ordering::Relaxed)
}

/// Free memory that is probably resident, in bytes.
pub fn dirty() -> usize {
    DIRTY.load(Ordering::Relaxed)
}

/// All memory given back so far, in bytes.
pub fn purged() -> usize {
    PURGED.load(Ordering::Relaxed)
}

/// `bytes` became free and are resident.
pub fn add_dirty(bytes: usize) {
    DIRTY.fetch_add(bytes, Ordering::Relaxed);
}

/// `bytes` of dirty memory are in use again, or gone.
pub fn sub_dirty(bytes: usize) {
    DIRTY.fetch_sub(bytes, Ordering::Relaxed);
}

/// `bytes` were given back, their addresses kept.
pub fn count_purged(bytes: usize) {
    PURGED.fetch_add(bytes, Ordering::Relaxed);
}

/// `bytes` were given back, addresses and all.
pub fn count_unmapped(bytes: usize) {
    PURGED.fetch_add(bytes, Ordering::Relaxed);
    LEFT.fetch_add(bytes, Ordering::Relaxed);
}

/// Memory that had been given back is used again. Half of it counts: a need that recurs
/// once may be chance.
pub fn refault(bytes: usize) {
    if bytes > 0 && !is_pressed() {
        ALLOWANCE.fetch_add(bytes / 2, Ordering::Relaxed);
        STAMP.store(clock::seconds(), Ordering::Relaxed);
    }
}

/// `bytes` of new mapping: how many of them stand for memory that was unmapped before.
pub fn remapped(bytes: usize) -> usize {
    let mut left = LEFT.load(Ordering::Relaxed);
    loop {
        let part = left.min(bytes);
        match LEFT.compare_exchange_weak(left, left - part, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => return part,
            Err(other) => left = other,
        }
    }
}

/// Dirty memory above the allowance, in bytes, beside `in_use` bytes in spans, which have
/// been `peak` bytes lately. No more is kept than would fill the peak again; and a small
/// part of what is in use besides, so that what is purged has had time to join.
pub fn excess(in_use: usize, peak: usize) -> usize {
    let dirty = dirty().saturating_sub(in_use / SLACK);
    if dirty <= FLOOR {
        return 0;
    }
    let mut allowance = ALLOWANCE.load(Ordering::Relaxed);
    let look = LOOKS.fetch_add(1, Ordering::Relaxed);
    if allowance > FLOOR && look.is_multiple_of(CLOCK_EVERY) {
        let now = clock::seconds();
        if now.wrapping_sub(STAMP.load(Ordering::Relaxed)) > 1 {
            allowance = (allowance / 2).max(FLOOR);
            ALLOWANCE.store(allowance, Ordering::Relaxed);
            STAMP.store(now, Ordering::Relaxed);
        }
    }
    let gap = peak.saturating_sub(in_use).max(FLOOR);
    dirty.saturating_sub(allowance.min(gap))
}

/// Whether `bytes` more may stay.
pub fn has_room(bytes: usize) -> bool {
    dirty() + bytes <= ALLOWANCE.load(Ordering::Relaxed)
}
