//! Samples: which blocks are looked at in training, and what becomes of them.
//!
//! A sampled block of the slab lies on a page of sampled blocks, which no heap owns: so its
//! free, and no other, takes the slow path. Large blocks take it anyway; a mark in the
//! page's header tells the sampled ones.
//!
//! Invariants
//! 1. A page of kind `Sampled` is in the list of its class exactly while it has room, and
//!    is touched under the lock of `SAMPLER` alone.
//! 2. Its tally is never full, and its owner word matches no heap.

use super::call::Call;
use super::free::corrupted;
use super::heap::Heap;
use super::heap::lanes::NEVER;
use crate::backend::slab;
use crate::base::block::Block;
use crate::base::class::{CLASSES, QUANTUM, class_of};
use crate::decision::evidence::{DEPTH, Place, Row};
use crate::decision::observe::{Birth, Observer, Tables};
use crate::map::{Kind, ListId, Page, PageList};
use crate::options;
use crate::sys::lock::{Lock, Rank, RawLock};
use crate::sys::vm;
use crate::topology::frames::context;

/// The same in every run, so that the same run gives the same model.
const SEED: u64 = 1;
/// What stands in the owner word of sampled pages: the address of no heap.
const OWNER: usize = QUANTUM;
/// Mark of a sampled large block, in the header's `capacity`.
const MARK: u32 = 1;

pub struct Sampler {
    observer: Option<Observer<'static>>,
    /// Pages with room.
    pages: [PageList; CLASSES],
    turn: u32,
}

// SAFETY: all of it is touched under the lock alone.
unsafe impl Send for Sampler {}

static SAMPLER: Lock<Sampler> = Lock::new(
    Rank::Sampler,
    Sampler {
        observer: None,
        pages: [const { PageList::new(ListId::Sampled) }; CLASSES],
        turn: 0,
    },
);

/// Begins to observe, from nothing. False if there is no memory.
pub fn start() -> bool {
    let mut sampler = SAMPLER.lock();
    match &mut sampler.observer {
        Some(observer) => observer.clear(),
        None => {
            let Some(tables) = vm::map(size_of::<Tables>()) else {
                return false;
            };
            // SAFETY: fresh zeroes, which are empty tables, and ours for ever.
            let tables = unsafe { &mut *(tables as *mut Tables) };
            sampler.observer = Some(Observer::new(tables, options::sample(), SEED));
        }
    }
    true
}

/// Forgets what was seen.
pub fn reset() {
    if let Some(observer) = &mut SAMPLER.lock().observer {
        observer.clear();
    }
}

/// Shows what was seen so far: the rows, bytes between samples, and bytes in all.
pub fn show<T>(to: impl FnOnce(&[Row], u64, u64) -> T) -> Option<T> {
    let mut sampler = SAMPLER.lock();
    let observer = sampler.observer.as_mut()?;
    let (mean, clock) = (observer.mean(), observer.clock());
    Some(to(observer.rows(), mean, clock))
}

/// Bytes until the first sample of a heap.
pub fn draw() -> u64 {
    let mut sampler = SAMPLER.lock();
    sampler
        .observer
        .as_mut()
        .map_or(NEVER as u64, Observer::draw)
}

/// A sampled block for a request of `size`, at most `SLAB_MAX`, and how many bytes it is to
/// the next sample. Null if the block is to come from elsewhere.
///
/// # Safety
/// `heap` is the calling thread's, which holds no lock.
pub unsafe fn alloc(heap: *mut Heap, size: usize, call: &Call) -> (*mut u8, u64) {
    let path = path_of(call);
    let class = class_of(size);
    let mut sampler = SAMPLER.lock();
    let sampler = &mut *sampler;
    let Some(observer) = &mut sampler.observer else {
        return (core::ptr::null_mut(), NEVER as u64);
    };
    // SAFETY: pages of the list are the sampler's, by invariant 1.
    let block = unsafe { take(&mut sampler.pages[class], class, &mut sampler.turn) };
    if block.is_null() {
        return (block, observer.draw());
    }
    (block, note(observer, heap, block as u64, size, path))
}

/// A block of a page of sampled blocks; null if there is no memory.
unsafe fn take(pages: &mut PageList, class: usize, turn: &mut u32) -> *mut u8 {
    // SAFETY: as the caller says; a page that was just made is nobody else's.
    unsafe {
        let mut page = pages.head();
        if page.is_null() {
            *turn = turn.wrapping_add(1);
            let Some(made) = slab::create(class, OWNER, *turn) else {
                return core::ptr::null_mut();
            };
            page = made;
            (*page).kind = Kind::Sampled;
            pages.push_front(page);
        }
        if (*page).free.is_null() {
            slab::carve(page);
        }
        let block = slab::pop(page);
        if block.is_null() {
            corrupted((*page).free);
        }
        if !(*page).has_room() {
            pages.remove(page);
        }
        block.cast()
    }
}

/// Frees a sampled block, which is a block of `page` that does not look freed.
///
/// # Safety
/// The block is in the caller's hands.
pub unsafe fn free(heap: *mut Heap, page: *mut Page, block: *mut Block) {
    let mut sampler = SAMPLER.lock();
    let sampler = &mut *sampler;
    if let Some(observer) = &mut sampler.observer {
        observer.died(block as u64, heap as u64);
    }
    // SAFETY: invariant 1.
    unsafe {
        let pages = &mut sampler.pages[(*page).class as usize];
        let had_room = (*page).has_room();
        let empty = slab::push(page, block);
        if !had_room {
            pages.push_front(page);
        }
        if empty {
            pages.remove(page);
            slab::release(page);
        }
    }
}

/// A large block, or one with a mapping of its own, is a sample. Returns how many bytes it is
/// to the next.
///
/// # Safety
/// The block was just allocated by the calling thread, which holds no lock.
pub unsafe fn mark(heap: *mut Heap, page: *mut Page, size: usize, call: &Call) -> u64 {
    let path = path_of(call);
    let mut sampler = SAMPLER.lock();
    let Some(observer) = &mut sampler.observer else {
        return NEVER as u64;
    };
    // SAFETY: the caller's block.
    unsafe { (*page).capacity = MARK };
    note(observer, heap, page as u64, size, path)
}

/// Notes a birth. Returns how many bytes it is to the next sample.
fn note(
    observer: &mut Observer<'_>,
    heap: *mut Heap,
    key: u64,
    size: usize,
    path: [Place; DEPTH],
) -> u64 {
    let thread = heap as u64;
    observer.born(&Birth {
        key,
        size,
        path,
        thread,
    });
    observer.draw()
}

/// A large block, or one with a mapping of its own, is about to be freed.
///
/// # Safety
/// The block is in the caller's hands.
#[inline]
pub unsafe fn unmark(heap: *mut Heap, page: *mut Page) {
    // SAFETY: the caller's block.
    unsafe {
        if (*page).capacity == MARK {
            (*page).capacity = 0;
            if let Some(observer) = &mut SAMPLER.lock().observer {
                observer.died(page as u64, heap as u64);
            }
        }
    }
}

/// `realloc` makes a block of this page longer.
///
/// # Safety
/// The block is in the caller's hands.
pub unsafe fn grew(page: *mut Page, block: *mut u8) {
    // SAFETY: the caller's block.
    let key = unsafe {
        match (*page).kind {
            Kind::Sampled => block as u64,
            Kind::Large | Kind::System if (*page).capacity == MARK => page as u64,
            _ => return,
        }
    };
    if let Some(observer) = &mut SAMPLER.lock().observer {
        observer.grew(key);
    }
}

/// The context of a call.
fn path_of(call: &Call) -> [Place; DEPTH] {
    let mut path = [Place::NONE; DEPTH];
    // SAFETY: the call is the calling thread's.
    let points = unsafe { context(call.site, call.stack, call.frame) };
    for (place, point) in path.iter_mut().zip(points) {
        match Place::new(point.module.into(), point.offset) {
            Some(known) if point.hash != 0 => *place = known,
            _ => break,
        }
    }
    path
}

/// In a fork child: it begins anew, as a process of its own.
pub fn survive_fork() {
    reset();
}

/// In an unprepared copy of the process: what may be half written is given up.
pub fn survive_copy() {
    if SAMPLER.raw().is_taken() {
        let mut sampler = SAMPLER.lock();
        sampler.observer = None;
        sampler.pages = [const { PageList::new(ListId::Sampled) }; CLASSES];
    }
}

/// The lock, for the fork handlers.
pub fn raw_lock() -> &'static RawLock {
    SAMPLER.raw()
}
