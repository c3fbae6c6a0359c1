//! Records of chunks: apart from the chunks, and from their headers, which are too small.
//!
//! Invariants
//! 1. A record is some chunk's, or in the list of spare ones, or in hand. It stays for ever.

use crate::backend::{budget, meta};
use crate::base::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
use crate::base::chunk::Chunk;
use crate::sys::lock::{Lock, Rank, RawLock};
use core::ptr::null_mut;

/// All zeroes is a record that was never used.
#[repr(C)]
pub struct Record {
    pub chunk: Chunk,
    /// The arena that the chunk was made for.
    pub home: AtomicUsize,
    /// Whether the chunk counts among the memory that was touched to its end.
    pub dense: AtomicBool,
    /// The next spare record.
    next: AtomicPtr<Record>,
}

/// Records without a chunk.
struct Spare(*mut Record);

// SAFETY: the records are nobody's but the list's.
unsafe impl Send for Spare {}

static SPARE: Lock<Spare> = Lock::new(Rank::Meta, Spare(null_mut()));

/// A record for a chunk. None if there is no memory.
pub fn take() -> Option<*mut Record> {
    let mut spare = SPARE.lock();
    let record = spare.0;
    if !record.is_null() {
        // SAFETY: a spare record.
        spare.0 = unsafe { (*record).next.load(Ordering::Relaxed) };
        return Some(record);
    }
    drop(spare);
    let new = meta::alloc(size_of::<Record>(), align_of::<Record>().max(64));
    if new.is_null() {
        budget::press();
        return None;
    }
    Some(new.cast())
}

/// Takes a record back whose chunk is none any more.
pub fn give(record: *mut Record) {
    let mut spare = SPARE.lock();
    // SAFETY: the record is the caller's.
    unsafe { (*record).next.store(spare.0, Ordering::Relaxed) };
    spare.0 = record;
}

/// In an unprepared copy of the process: a list that may be half changed is given up.
pub fn survive_copy() {
    if SPARE.raw().is_taken() {
        *SPARE.lock() = Spare(null_mut());
    }
}

/// The lock, for the fork handlers.
pub fn raw_lock() -> &'static RawLock {
    SPARE.raw()
}
