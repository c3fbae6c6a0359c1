//! Blocks of arenas, as the heap sees them: its lock, its share of what all heaps keep, and
//! reports of misuse.

use super::alloc::{self, Grant};
use super::heap::Heap;
use super::{free, purge, registry, remote, tls};
use crate::backend::arena::{self, ARENA_MAX, Freed, KEPT_MAX, Place};
use crate::backend::budget;
use crate::map::Page;

/// Bytes in empty chunks that all heaps keep.
const KEPT_ALL_MAX: usize = 4 << 20;

/// A block for a request of `size` bytes, at most `ARENA_MAX`.
pub fn alloc(size: usize) -> Grant {
    debug_assert!(size <= ARENA_MAX);
    let heap = registry::heap();
    if heap.is_null() {
        return Grant::NONE;
    }
    // SAFETY: the heap is the calling thread's.
    unsafe {
        let found = match (*(*heap).arena.get()).bump(size) {
            None => refill(heap, size),
            found => found,
        };
        let Some((block, zeroed)) = found else {
            return Grant::NONE;
        };
        (*heap).count_handed(1);
        Grant::new(block as *mut u8, zeroed)
    }
}

/// A block from another chunk.
#[cold]
unsafe fn refill(heap: *mut Heap, size: usize) -> Option<(usize, bool)> {
    // SAFETY: the heap is the calling thread's.
    unsafe {
        remote::flush(heap, heap);
        purge::obey(heap);
        let fill = || {
            let _lists = (*heap).lists.lock();
            (*(*heap).arena.get()).refill()
        };
        if !fill() {
            // Memory is short: what is kept for later may help.
            alloc::release_spare(heap);
            fill();
        }
        (*(*heap).arena.get()).bump(size)
    }
}

/// Frees a block of a chunk.
///
/// # Safety
/// The page is the header of a chunk that `pointer` lies in; the block, if it is one, is in the
/// caller's hands.
pub unsafe fn free(page: *mut Page, pointer: *mut u8) {
    let heap = tls::heap();
    // SAFETY: as the caller says; the heap is the calling thread's.
    unsafe {
        match arena::free(page, pointer as usize) {
            Freed::Fine if heap.is_null() => {}
            Freed::Fine => (*(*heap).arena.get()).settle(page),
            Freed::Last => emptied(heap, page),
            Freed::Nothing => misuse("free", page, pointer),
        }
    }
}

/// A chunk is the calling thread's that nobody uses any more.
#[cold]
unsafe fn emptied(heap: *mut Heap, page: *mut Page) {
    // SAFETY: as above.
    unsafe {
        let kept = !heap.is_null() && {
            let room = match budget::is_pressed() {
                true => 0,
                false => registry::share(KEPT_ALL_MAX, KEPT_MAX),
            };
            let _lists = (*heap).lists.lock();
            (*(*heap).arena.get()).keep(page, room)
        };
        if !kept {
            arena::release(page);
        }
        if !heap.is_null() {
            purge::obey(heap);
        }
    }
}

/// Bytes the caller may use of a block. `what` names the function for a report of misuse.
///
/// # Safety
/// As `free`.
pub unsafe fn usable_size(page: *mut Page, pointer: *mut u8, what: &str) -> usize {
    // SAFETY: as the caller says.
    match unsafe { arena::look(page, pointer as usize) } {
        Place::Used { size } => size,
        // SAFETY: as above.
        _ => unsafe { misuse(what, page, pointer) },
    }
}

/// Makes a block `size` bytes long where it stands, if it is the last of the heap's chunk.
///
/// # Safety
/// As `free`, and the block is one.
pub unsafe fn resize(page: *mut Page, pointer: *mut u8, size: usize) -> bool {
    let heap = tls::heap();
    // SAFETY: the heap is the calling thread's, the block the caller's.
    unsafe { !heap.is_null() && (*(*heap).arena.get()).resize(page, pointer as usize, size) }
}

/// Ends the process: no block in use starts at `pointer`.
#[cold]
unsafe fn misuse(what: &str, page: *mut Page, pointer: *mut u8) -> ! {
    // SAFETY: as in `free`.
    match unsafe { arena::look(page, pointer as usize) } {
        Place::Inside { start, size } => free::inside(what, pointer as usize, start, size),
        Place::Freed { size } if what == "free" => free::double_free(pointer, size),
        _ => free::freed(what, pointer),
    }
}
