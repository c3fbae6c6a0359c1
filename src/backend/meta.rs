//! Memory for the allocator's own objects. It is never given back; what is recycled,
//! its user recycles.

use crate::base::bits::round_up;
use crate::sys::lock::{Lock, Rank, RawLock};
use crate::sys::vm;

const CHUNK: usize = 64 << 10;

struct Bump {
    next: usize,
    end: usize,
}

static BUMP: Lock<Bump> = Lock::new(Rank::Meta, Bump { next: 0, end: 0 });

/// `size` bytes of zeroes at a multiple of `align`, a power of two of at most 4 KiB;
/// null if there is no memory.
pub fn alloc(size: usize, align: usize) -> *mut u8 {
    debug_assert!(size <= CHUNK && align <= 4096);
    let mut bump = BUMP.lock();
    let mut start = round_up(bump.next, align).unwrap_or(usize::MAX);
    if bump.next == 0 || start + size > bump.end {
        let Some(chunk) = vm::map(CHUNK) else {
            return core::ptr::null_mut();
        };
        // A chunk that follows the last one continues it.
        if chunk != bump.end || bump.next == 0 {
            start = chunk;
        }
        bump.end = chunk + CHUNK;
    }
    bump.next = start + size;
    start as *mut u8
}

/// In an unprepared copy of the process: what may be half written is given up.
pub fn survive_copy() {
    if BUMP.raw().is_taken() {
        *BUMP.lock() = Bump { next: 0, end: 0 };
    }
}

/// The lock, for the fork handlers.
pub fn raw_lock() -> &'static RawLock {
    BUMP.raw()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_apart_aligned_and_zero() {
        let mut last: std::vec::Vec<(usize, usize)> = std::vec::Vec::new();
        for i in 1..400usize {
            let (size, align) = (i * 37 % 5000 + 1, 1 << (i % 13));
            let at = alloc(size, align) as usize;
            assert!(at != 0 && at.is_multiple_of(align));
            for &(other, len) in &last {
                assert!(at + size <= other || other + len <= at);
            }
            // SAFETY: just given out.
            let bytes = unsafe { core::slice::from_raw_parts_mut(at as *mut u8, size) };
            assert!(bytes.iter().all(|&b| b == 0));
            bytes.fill(1);
            last.push((at, size));
        }
    }
}
