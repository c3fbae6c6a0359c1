//! Allocation.

use super::call::Call;
use super::free::corrupted;
use super::heap::Heap;
use super::heap::lanes::Lanes;
use super::lists::Lists;
use super::{arena, learn, purge, registry, remote, route, sampler, tls};
use crate::backend::arena::ARENA_MAX;
use crate::backend::{buddy, large, slab, system};
use crate::base::atomic::Ordering;
use crate::base::bits::{round_down, round_up};
use crate::base::class::{self, DIRECT_MAX, SLAB_MAX, SLICE, bin_of};
use crate::map::{self, Page};
use crate::options::{self, Force};
use crate::sys::{auxv::os_page, clock, vm};
use core::ptr::null_mut;

/// No block is larger than this, so that the distance of two pointers into it fits.
pub const SIZE_MAX: usize = isize::MAX as usize;
/// Larger blocks are cleared by `memset`.
pub const CLEAR_MAX: usize = 128;
/// The largest block that a heap keeps on its shelf, and the most that all shelves hold.
const SHELF_MAX: usize = 2 << 20;
const SHELVES_MAX: usize = 16 << 20;

/// An answer of the slow path: two registers.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Grant {
    /// The block, or null.
    pub block: *mut u8,
    /// Whether all of it reads as zero.
    pub zeroed: bool,
}

impl Grant {
    pub const NONE: Grant = Grant {
        block: null_mut(),
        zeroed: false,
    };

    pub fn new(block: *mut u8, zeroed: bool) -> Grant {
        Grant { block, zeroed }
    }
}

/// Allocates `size` bytes; null if there is no memory. `errno` is left alone.
#[inline(always)]
pub fn alloc(size: usize, call: &Call) -> *mut u8 {
    match fast(size) {
        block if block.is_null() => slow(size, call).block,
        block => block,
    }
}

/// Allocates `size` bytes that read as zero; null if there is no memory. Memory fresh
/// from the system is not touched.
#[inline(always)]
pub fn alloc_zeroed(size: usize, call: &Call) -> *mut u8 {
    match fast_zeroed(size) {
        block if block.is_null() => slow_zeroed(size, call),
        block => block,
    }
}

/// As `fast`, cleared.
#[inline(always)]
pub fn fast_zeroed(size: usize) -> *mut u8 {
    let block = fast(size);
    if !block.is_null() {
        // SAFETY: the block is ours, and holds `size` rounded up to the quantum.
        unsafe { clear(block, size) };
    }
    block
}

/// As `alloc_zeroed`, where `fast` has nothing.
#[inline(never)]
pub fn slow_zeroed(size: usize, call: &Call) -> *mut u8 {
    let grant = slow(size, call);
    if grant.block.is_null() || grant.zeroed {
        return grant.block;
    }
    // A kept block of this size: new OS pages cost only where they are touched.
    let whole = round_down(size, os_page());
    let purged = size > large::LARGE_MAX && vm::purge(grant.block as usize, whole);
    let from = if purged { whole } else { 0 };
    // SAFETY: the block is ours and holds `size` bytes.
    unsafe { grant.block.add(from).write_bytes(0, size - from) };
    grant.block
}

/// Clears a small block with stores that overlap in its middle: few, and no loop.
#[inline(always)]
unsafe fn clear(block: *mut u8, size: usize) {
    if size > CLEAR_MAX {
        // SAFETY: the caller's block.
        unsafe { block.write_bytes(0, size) };
        return;
    }
    // SAFETY: every block holds a multiple of 16 bytes, at a multiple of 16; the stores
    // stay between its start and `size` rounded up.
    unsafe {
        let first = block.cast::<u128>();
        let last = first.add(size.saturating_sub(1) / class::QUANTUM);
        first.write(0);
        last.write(0);
        if size > 32 {
            first.add(1).write(0);
            last.sub(1).write(0);
        }
        if size > 64 {
            first.add(2).write(0);
            first.add(3).write(0);
            last.sub(2).write(0);
            last.sub(3).write(0);
        }
    }
}

/// A block from the active page of its class, if the size has an entry in `direct` and
/// the page has a free block.
#[inline(always)]
pub fn fast(size: usize) -> *mut u8 {
    if size > DIRECT_MAX {
        return null_mut();
    }
    // SAFETY: `top` is the thread's own or the empty one, whose pages have no block; the
    // index is at most DIRECT_MAX / QUANTUM.
    unsafe {
        let slot = (*tls::top())
            .direct
            .get_unchecked(size.div_ceil(class::QUANTUM));
        slab::pop(slot.load(Ordering::Relaxed)).cast()
    }
}

/// A block from the active page of its class, for every size of the slab, if the page has
/// a free block.
#[inline(always)]
pub fn medium(size: usize) -> *mut u8 {
    if size > SLAB_MAX {
        return null_mut();
    }
    // SAFETY: as in `fast`; a class is below CLASSES.
    unsafe {
        let slot = (*tls::top()).active.get_unchecked(class::class_of(size));
        slab::pop(slot.load(Ordering::Relaxed)).cast()
    }
}

/// Allocation where `fast` has nothing, or was not asked.
#[inline(never)]
pub fn slow(size: usize, call: &Call) -> Grant {
    match medium(size) {
        block if block.is_null() => cold(size, call),
        block => Grant::new(block, false),
    }
}

/// A small block from the lane that the thread's heap remembers for a site, if it has one at hand.
///
/// # Safety
/// The call is the calling thread's.
#[inline(always)]
pub unsafe fn routed(size: usize, site: usize) -> *mut u8 {
    // SAFETY: the thread's own heap, or `NO_HEAP`, which has no lanes.
    unsafe {
        match (*tls::top().cast::<Heap>()).lanes() {
            Some(lanes) if size <= DIRECT_MAX => route::pop(lanes, class::place_of(size), site),
            _ => null_mut(),
        }
    }
}

/// As `routed`, for all sizes of the slab, and sites that do not tell alone.
///
/// # Safety
/// As `routed`.
#[inline(always)]
pub unsafe fn routed_deep(size: usize, site: usize, stack: usize) -> *mut u8 {
    // SAFETY: as in `routed`.
    unsafe {
        match (*tls::top().cast::<Heap>()).lanes() {
            Some(lanes) if size <= SLAB_MAX => {
                route::pop_deep(lanes, class::place_of(size), site, stack)
            }
            _ => null_mut(),
        }
    }
}

/// Allocation where neither `fast` nor `medium` has anything.
#[inline(always)]
pub fn cold(size: usize, call: &Call) -> Grant {
    let heap = tls::top().cast::<Heap>();
    // SAFETY: the thread's own heap, or `NO_HEAP`, which has no lanes.
    let lanes = unsafe { (*heap).lanes() };
    if let Some(lanes) = lanes {
        // SAFETY: a heap with lanes is the thread's own.
        unsafe { guided(heap, lanes, size, call) }
    } else if size > SLAB_MAX {
        big(size, class::QUANTUM)
    } else {
        refill(size, class::class_of(size))
    }
}

/// As `cold`, in a heap with lanes: the call may be a sample, or have a route.
///
/// # Safety
/// The heap is the calling thread's, and `lanes` are its.
#[inline(never)]
unsafe fn guided(heap: *mut Heap, lanes: &Lanes, size: usize, call: &Call) -> Grant {
    // SAFETY: as the caller says.
    unsafe {
        let sampled = lanes.counts_down(size);
        if size > SLAB_MAX {
            let grant = big(size, class::QUANTUM);
            if sampled && !grant.block.is_null() {
                let page = map::lookup(grant.block as usize);
                lanes.count_from(sampler::mark(heap, page, size, call));
                learn::checkpoint();
            }
            return grant;
        }
        if sampled {
            let (block, next) = sampler::alloc(heap, size, call);
            lanes.count_from(next);
            learn::checkpoint();
            if !block.is_null() {
                return Grant::new(block, false);
            }
        }
        let class = class::class_of(size);
        if !(*heap).is_closed(class) {
            return refill(size, class);
        }
        let bin = bin_of(route::lane(lanes, size, call), class);
        let block = slab::pop((*heap).active(bin).load(Ordering::Relaxed));
        if block.is_null() {
            return refill(size, bin);
        }
        Grant::new(block.cast(), false)
    }
}

/// A block of `class` for a request of `size`, from wherever it can be had.
pub fn of_class(size: usize, class: usize) -> Grant {
    // SAFETY: as in `slow`.
    let block = unsafe { slab::pop((*tls::top()).active[class].load(Ordering::Relaxed)) };
    if block.is_null() {
        return refill(size, class);
    }
    Grant::new(block.cast(), false)
}

#[cold]
#[inline(never)]
fn refill(size: usize, bin: usize) -> Grant {
    match options::force() {
        Force::Arena if size <= ARENA_MAX => return arena::alloc(size),
        Force::Arena | Force::Buddy | Force::System => return big(size, class::QUANTUM),
        Force::None | Force::Slab => {}
    }
    let heap = registry::heap();
    if heap.is_null() {
        return Grant::NONE;
    }
    // SAFETY: the heap is the calling thread's.
    unsafe {
        if !(*(*heap).outbox.get()).is_empty() {
            remote::flush(heap, heap);
        }
        purge::obey(heap);
        let mut grant = obtain(heap, bin);
        if grant.block.is_null() {
            // Memory is short: what is kept for later may help.
            release_spare(heap);
            grant = obtain(heap, bin);
        }
        grant
    }
}

/// A block from a page of `bin` with room, which is then active in the heap.
unsafe fn obtain(heap: *mut Heap, bin: usize) -> Grant {
    // SAFETY: the heap is the calling thread's.
    unsafe {
        let h = &*heap;
        let mut lists = h.lists.lock();
        let mut strays = null_mut();
        let mut page = h.refill(&mut lists, bin);
        if page.is_null() {
            strays = h.collect(&mut lists);
            page = h.refill(&mut lists, bin);
        }
        if page.is_null() && registry::any_stranded() {
            drop(lists);
            let found = registry::adopt_some(heap, bin);
            lists = h.lists.lock();
            if found {
                page = h.refill(&mut lists, bin);
            }
        }
        if page.is_null() {
            page = h.add_page(&mut lists, bin);
        }
        let grant = take(h, &mut lists, page);
        drop(lists);
        remote::send_all(heap, strays);
        grant
    }
}

/// Takes a block of a page with room, or of null. Under the heap's lock, so that no
/// fork sees a page half carved.
unsafe fn take(heap: &Heap, lists: &mut Lists, page: *mut Page) -> Grant {
    if page.is_null() {
        return Grant::NONE;
    }
    // SAFETY: the page is the active one of the thread's heap.
    unsafe {
        let block = (*page).free;
        if !block.is_null() && (*block).key != page as usize {
            corrupted(block);
        }
        if block.is_null() {
            if (*page).kept {
                // It becomes larger: what is kept of it is counted anew.
                lists.unkeep(page);
            }
            if (*page).uncarved == 0 {
                lists.filled = clock::moments();
                if let Err(block) = slab::holes::fill(page) {
                    corrupted(block);
                }
            } else if (*page).block_size() >= os_page() {
                let (block, zeroed) = slab::carve_one(page);
                heap.count_handed(1);
                return Grant::new(block.cast(), zeroed);
            } else {
                let carved = slab::carve(page);
                heap.count_handed(carved);
            }
        }
        Grant::new(slab::pop(page).cast(), false)
    }
}

/// Gives back what is kept for later, when memory is short.
///
/// # Safety
/// The heap is the calling thread's, which holds no lock.
pub unsafe fn release_spare(heap: *mut Heap) {
    // SAFETY: the heap is the calling thread's.
    unsafe {
        let h = &*heap;
        empty_shelf(h);
        let mut lists = h.lists.lock();
        h.release_free(&mut lists);
        (*h.arena.get()).release_empty();
    }
    system::release_kept();
    buddy::release_empty();
}

/// Bytes in the block that a request of `size` bytes gets.
pub fn good_size(size: usize) -> usize {
    let in_slab = size <= SLAB_MAX && matches!(options::force(), Force::None | Force::Slab);
    match in_slab {
        true => class::size_of(class::class_of(size)),
        false if options::force() == Force::Arena && size <= ARENA_MAX => {
            crate::backend::arena::usable(size)
        }
        false if size > SIZE_MAX => size,
        false => round_up(size.max(1), os_page()).unwrap_or(size),
    }
}

/// A block with a span or a mapping of its own, at a multiple of `align`, a power of two.
#[inline(never)]
pub fn big(size: usize, align: usize) -> Grant {
    if size > SIZE_MAX {
        return Grant::NONE;
    }
    match try_big(size, align) {
        Some((page, zeroed)) => {
            // SAFETY: the block was just taken.
            let base = unsafe { (*page).base };
            Grant::new(base as *mut u8, zeroed)
        }
        None => Grant::NONE,
    }
}

fn try_big(size: usize, align: usize) -> Option<(*mut Page, bool)> {
    let fits = size <= large::LARGE_MAX && align <= large::ALIGN_MAX;
    let span = fits && options::force() != Force::System;
    if span
        && align <= SLICE
        && let Some(page) = from_shelf(size, large::fit)
    {
        return Some((page, false));
    }
    fresh(size, align, span).or_else(|| {
        let heap = tls::heap();
        if !heap.is_null() {
            // SAFETY: the heap is the calling thread's.
            unsafe { release_spare(heap) };
        }
        fresh(size, align, span)
    })
}

/// A block with a span of its own, if that can be, or else with a mapping.
fn fresh(size: usize, align: usize, span: bool) -> Option<(*mut Page, bool)> {
    let found = match span {
        true => large::alloc(size, align),
        false => None,
    };
    found.or_else(|| system::alloc(size, align))
}

/// The block on the shelf, if it serves a request of `size`, as `serves` finds.
pub fn from_shelf(size: usize, serves: unsafe fn(*mut Page, usize) -> bool) -> Option<*mut Page> {
    let heap = tls::heap();
    if heap.is_null() {
        return None;
    }
    // SAFETY: the heap is the calling thread's; what was taken off a shelf is, too.
    unsafe {
        let shelf = &(*heap).shelf;
        if shelf.load(Ordering::Relaxed).is_null() {
            return None;
        }
        let page = shelf.swap(null_mut(), Ordering::Acquire);
        if page.is_null() {
            return None;
        }
        if !serves(page, size) {
            // Nobody but its holder puts a block on a shelf.
            shelf.store(page, Ordering::Release);
            return None;
        }
        (*page).kept = false;
        Some(page)
    }
}

/// Puts a large block on the heap's shelf, from which it takes the one that was there.
///
/// # Safety
/// `heap` is the calling thread's or null; the block is nobody's any more.
pub unsafe fn shelve(heap: *mut Heap, page: *mut Page) {
    // SAFETY: as the caller says.
    unsafe {
        let room = registry::share(SHELVES_MAX, SHELF_MAX);
        if heap.is_null() || (*page).slices as usize * SLICE > room {
            large::free(page);
            return;
        }
        (*page).kept = true;
        let old = (*heap).shelf.swap(page, Ordering::AcqRel);
        if !old.is_null() {
            (*old).kept = false;
            large::free(old);
        }
    }
}

/// Gives the block on a heap's shelf back. Any thread.
pub fn empty_shelf(heap: &Heap) {
    if heap.shelf.load(Ordering::Relaxed).is_null() {
        return;
    }
    let page = heap.shelf.swap(null_mut(), Ordering::Acquire);
    // SAFETY: who takes the block off the shelf has it.
    unsafe {
        if !page.is_null() {
            (*page).kept = false;
            large::free(page);
        }
    }
}
