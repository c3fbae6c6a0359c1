//! Giving memory back, all that can be, at a caller's wish.
//!
//! A heap's pages are its holder's: its thread gives back what is free in them. The caller does so
//! for ended threads, and takes over what nobody owns, full pages into which something was
//! freed, even if their home sleeps. Other heaps are asked, and obey at their next slow path.

use super::heap::{Asked, Heap};
use super::{alloc, registry, remote, scavenger};
use crate::backend::{buddy, budget, system};

/// Gives back what can be. Says whether anything went back: what `malloc_trim` answers.
pub fn purge() -> bool {
    release() > 0
}

/// Gives back what can be. Returns how many bytes went back.
pub fn release() -> usize {
    let before = budget::purged();
    let heap = registry::heap();
    for other in registry::heaps() {
        if !core::ptr::eq(other, heap) {
            other.ask(Asked::All);
        }
        alloc::empty_shelf(other);
    }
    if !heap.is_null() {
        for other in registry::heaps().filter(|&other| !core::ptr::eq(other, heap)) {
            registry::tidy_dead(heap, other);
        }
        // SAFETY: the heap is the calling thread's, and no lock is held.
        unsafe {
            take_returned(&*heap);
            tidy(heap);
        }
    }
    system::release_kept();
    buddy::purge_all();
    budget::purged().wrapping_sub(before)
}

/// Does what others have asked the heap for.
///
/// # Safety
/// The heap is the calling thread's, which holds no lock.
#[inline]
pub unsafe fn obey(heap: *mut Heap) {
    // SAFETY: as the caller says.
    unsafe {
        if (*heap).is_asked() {
            obey_now(heap);
        }
    }
}

#[cold]
unsafe fn obey_now(heap: *mut Heap) {
    scavenger::start();
    // SAFETY: as in `obey`.
    unsafe {
        if (*heap).take_asked() == Asked::All {
            tidy(heap);
            buddy::purge_all();
            return;
        }
        let mut lists = (*heap).lists.lock();
        let strays = (*heap).collect(&mut lists);
        lists.tend_all();
        drop(lists);
        remote::send_all(heap, strays);
    }
}

/// Takes the pages over that have been returned to other heaps.
///
/// # Safety
/// The heap is the calling thread's, which holds no lock.
unsafe fn take_returned(heap: &Heap) {
    for other in registry::heaps() {
        if core::ptr::eq(other, heap) {
            continue;
        }
        let mut lists = heap.lists.lock();
        // Two heaps' locks at once: only if nobody has the second.
        if let Some(mut theirs) = other.lists.try_lock() {
            // SAFETY: both locks are held, and the heap is the caller's.
            unsafe { heap.take_returned(&mut lists, &mut theirs) };
        }
    }
}

/// Gives back what is free in a heap.
///
/// # Safety
/// The heap is the calling thread's, which holds no lock.
unsafe fn tidy(heap: *mut Heap) {
    // SAFETY: as the caller says.
    unsafe {
        registry::give_back(heap, heap);
        (*heap).punch_all();
    }
}
