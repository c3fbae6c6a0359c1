//! All heaps, and the life of one: made for a thread, laid down at its end, taken up by
//! another thread or absorbed page by page.
//!
//! A thread holds its heap's `life` until it ends. It usually lays the heap down in a
//! key's destructor, which is quick to notice; where that did not run (a raw exit, no
//! key left, an allocation in a later destructor), the kernel has marked the life, and
//! threads that get a heap later find it.
//!
//! Invariants
//! 1. Heaps are never removed from the list.
//! 2. Whoever turns a heap's `dead` from true to false has the heap to itself; its life
//!    is not held then.
//! 3. `STRANDED` counts the heaps that are marked `stranded`: laid down, with pages.

use super::alloc;
use super::heap::{Asked, Heap, NO_HEAP};
use super::outbox::Outbox;
use super::{init, remote, scavenger, tls};
use crate::backend::meta;
use crate::base::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
use crate::base::block::Block;
use crate::map::{self, Kind};
use crate::sys::lock::{Lock, Rank, RawLock};
use core::ptr::null_mut;

static HEAPS: AtomicPtr<Heap> = AtomicPtr::new(null_mut());
/// Held while a heap is added.
static ADD: Lock<()> = Lock::new(Rank::Registry, ());
static COUNT: AtomicUsize = AtomicUsize::new(0);
/// Heaps that are laid down.
static DEAD: AtomicUsize = AtomicUsize::new(0);
static STRANDED: AtomicUsize = AtomicUsize::new(0);
/// Heaps that are looked at for one that a thread left without a word, whenever a thread
/// gets a heap.
const LOOKS: usize = 8;
/// Where the next look begins; null for the start.
static CURSOR: AtomicPtr<Heap> = AtomicPtr::new(null_mut());

/// All heaps.
pub fn heaps() -> impl Iterator<Item = &'static Heap> {
    let mut next = HEAPS.load(Ordering::Acquire);
    core::iter::from_fn(move || {
        // SAFETY: heaps stay for ever.
        let heap = unsafe { next.as_ref()? };
        next = heap.next.load(Ordering::Relaxed);
        Some(heap)
    })
}

/// A heap's share of `total` bytes that all heaps may keep, at most `most`.
#[inline]
pub fn share(total: usize, most: usize) -> usize {
    (total / COUNT.load(Ordering::Relaxed).max(1)).min(most)
}

/// The calling thread's heap, made if it has none; null if there is no memory. Takes no
/// lock when it calls libc, and the thread has its heap by then: libc may allocate.
pub fn heap() -> *mut Heap {
    match tls::heap() {
        heap if heap.is_null() => make(),
        heap => heap,
    }
}

#[cold]
fn make() -> *mut Heap {
    let dead = match DEAD.load(Ordering::Relaxed) {
        0 => None,
        _ => heaps().find(|heap| take_up(heap)),
    };
    let heap = match dead {
        Some(heap) => {
            let pointer = core::ptr::from_ref(heap).cast_mut();
            tls::set_heap(pointer);
            heap.life.begin();
            // SAFETY: taken up above.
            unsafe { mend(heap) };
            pointer
        }
        None => {
            let heap = meta::alloc(size_of::<Heap>(), align_of::<Heap>()).cast::<Heap>();
            if heap.is_null() {
                return heap;
            }
            // SAFETY: fresh memory, which nobody else knows.
            unsafe {
                heap.copy_from_nonoverlapping(&raw const NO_HEAP, 1);
                tls::set_heap(heap);
                (*heap).life.renew();
                (*heap).life.begin();
                add(heap);
            }
            heap
        }
    };
    find_ended(heap);
    init::ensure();
    init::mark_thread(heap);
    scavenger::start();
    heap
}

unsafe fn add(heap: *mut Heap) {
    let _add = ADD.lock();
    // SAFETY: the heap is the caller's.
    unsafe {
        (*heap)
            .next
            .store(HEAPS.load(Ordering::Relaxed), Ordering::Relaxed)
    };
    // Release: who finds the heap finds it initialised.
    HEAPS.store(heap, Ordering::Release);
    COUNT.fetch_add(1, Ordering::Relaxed);
}

/// Takes a laid-down heap. False if it is in use.
fn take_up(heap: &Heap) -> bool {
    let taken = heap.dead.load(Ordering::Relaxed)
        && heap
            .dead
            .compare_exchange(true, false, Ordering::SeqCst, Ordering::Relaxed)
            .is_ok();
    if taken {
        DEAD.fetch_sub(1, Ordering::Relaxed);
        if heap.stranded.swap(false, Ordering::Relaxed) {
            STRANDED.fetch_sub(1, Ordering::Relaxed);
        }
    }
    taken
}

/// Lays a heap down that the caller has to itself and whose life nobody holds.
fn put_down(heap: &Heap) {
    // Under the lock: who lists a returned page either comes before and is counted here,
    // or finds the heap dead.
    let lists = heap.lists.lock();
    if heap.pages(&lists) > 0 {
        heap.stranded.store(true, Ordering::Relaxed);
        STRANDED.fetch_add(1, Ordering::Relaxed);
    }
    heap.ask(Asked::Some);
    DEAD.fetch_add(1, Ordering::Relaxed);
    heap.dead.store(true, Ordering::SeqCst);
}

/// Absorbs the heaps of threads that ended without laying them down. Looks at a few
/// heaps, and at others the next time.
fn find_ended(into: *mut Heap) {
    let mut at = CURSOR.load(Ordering::Relaxed);
    for _ in 0..LOOKS {
        if at.is_null() {
            at = HEAPS.load(Ordering::Acquire);
        }
        // SAFETY: heaps stay for ever.
        let Some(heap) = (unsafe { at.as_ref() }) else {
            return;
        };
        if !heap.dead.load(Ordering::Relaxed) && heap.life.ended() {
            put_down(heap);
            absorb(into, core::ptr::from_ref(heap).cast_mut());
        }
        at = heap.next.load(Ordering::Relaxed);
    }
    CURSOR.store(at, Ordering::Relaxed);
}

/// Gives back what no block in use needs, and sends what waits for others.
///
/// # Safety
/// The heap is the calling thread's, which holds no lock.
pub unsafe fn give_back(heap: *mut Heap) {
    // SAFETY: as the caller says.
    unsafe {
        let h = &*heap;
        remote::flush(heap, heap);
        alloc::empty_shelf(h);
        let mut lists = h.lists.lock();
        let strays = h.collect(&mut lists);
        h.release_free(&mut lists);
        drop(lists);
        remote::send_all(heap, strays);
    }
}

/// The calling thread ends, or so its key says: it lays its heap down. Should it allocate
/// again, it gets a heap again.
pub fn lay_down() {
    let heap = tls::heap();
    if heap.is_null() {
        return;
    }
    // SAFETY: the heap is the calling thread's until it is laid down.
    unsafe {
        let h = &*heap;
        give_back(heap);
        tls::set_heap(null_mut());
        h.life.end();
        put_down(h);
        if !h.mailbox.is_empty_for_good() {
            absorb(null_mut(), heap);
        }
    }
}

/// Whether some laid-down heap has pages.
#[inline]
pub fn any_stranded() -> bool {
    STRANDED.load(Ordering::Relaxed) > 0
}

/// Absorbs one laid-down heap that has pages.
pub fn absorb_any(into: *mut Heap) {
    if let Some(heap) = heaps().find(|heap| heap.stranded.load(Ordering::Relaxed)) {
        absorb(into, core::ptr::from_ref(heap).cast_mut());
    }
}

/// Takes over what ended threads have left, in all heaps.
pub fn absorb_all(into: *mut Heap) {
    for heap in heaps() {
        if !heap.dead.load(Ordering::Relaxed) && heap.life.ended() {
            put_down(heap);
        }
        if heap.stranded.load(Ordering::Relaxed) {
            absorb(into, core::ptr::from_ref(heap).cast_mut());
        }
    }
}

/// Takes over what a laid-down heap has left: its pages and its mail. Nothing happens if
/// somebody else has taken it up. Without a heap to take it over (`into` is null), frees
/// what is free. The calling thread holds no lock.
pub fn absorb(into: *mut Heap, from: *mut Heap) {
    // SAFETY: heaps stay; `from` is ours while it is taken up.
    unsafe {
        let f = &*from;
        while take_up(f) {
            mend(f);
            remote::flush(into, from);
            alloc::empty_shelf(f);
            let strays = match into.as_ref() {
                Some(i) => move_pages(i, f),
                None => {
                    let mut lists = f.lists.lock();
                    let strays = f.collect(&mut lists);
                    f.release_free(&mut lists);
                    strays
                }
            };
            put_down(f);
            remote::send_all(into, strays);
            // Mail that came meanwhile found a heap in use, and nobody else will look.
            if f.mailbox.is_empty_for_good() {
                return;
            }
        }
    }
}

/// Moves all pages of `from` to `into`. Returns the mail for other heaps.
///
/// # Safety
/// The caller has both heaps to itself, and no lock.
unsafe fn move_pages(into: &Heap, from: &Heap) -> *mut Block {
    // SAFETY: as the caller says.
    unsafe {
        let mut lists = into.lists.lock();
        // Two heaps' locks at once: only if nobody has the second. Who frees into a page
        // of `from` has it for a moment.
        let Some(mut theirs) = from.lists.try_lock() else {
            return null_mut();
        };
        let strays = from.collect(&mut theirs);
        into.take_over(&mut lists, from, &mut theirs);
        strays
    }
}

/// Gives back what is free in a laid-down heap, or one whose thread has ended, if it has
/// changed since the last time. False if the heap is in use.
pub fn tidy_dead(heap: &Heap) -> bool {
    if !heap.dead.load(Ordering::Relaxed) {
        if !heap.life.ended() {
            return false;
        }
        put_down(heap);
    }
    if !heap.is_asked() || !take_up(heap) {
        return true;
    }
    // SAFETY: taken up above.
    unsafe {
        mend(heap);
        let pointer = core::ptr::from_ref(heap).cast_mut();
        remote::flush(null_mut(), pointer);
        let mut lists = heap.lists.lock();
        let strays = heap.collect(&mut lists);
        heap.release_free(&mut lists);
        drop(lists);
        heap.punch_all();
        put_down(heap);
        heap.take_asked();
        remote::send_all(null_mut(), strays);
        if !heap.mailbox.is_empty_for_good() {
            absorb(null_mut(), pointer);
        }
    }
    true
}

/// Makes a heap whose holder was cut off fit to be used.
///
/// # Safety
/// The heap has been taken up by the caller.
unsafe fn mend(heap: &Heap) {
    if heap.cut.swap(false, Ordering::Relaxed) {
        // SAFETY: the heap is the caller's. Blocks under way are given up.
        unsafe {
            *heap.outbox.get() = Outbox::NEW;
            heap.recount(&mut heap.lists.lock());
        }
    }
}

/// In a fork child: all heaps but the calling thread's are laid down, and may have been
/// cut off in the middle of an update.
pub fn survive_fork() {
    let mine = tls::heap();
    STRANDED.store(0, Ordering::Relaxed);
    DEAD.store(0, Ordering::Relaxed);
    for heap in heaps() {
        heap.lists.raw().reset();
        heap.life.renew();
        if core::ptr::eq(heap, mine) {
            heap.life.begin();
        } else {
            heap.cut.store(true, Ordering::Relaxed);
            heap.stranded.store(false, Ordering::Relaxed);
            put_down(heap);
        }
    }
}

/// In an unprepared copy of the process. A heap whose lock another thread held may be half
/// changed: it counts as in use for ever. Others can reach only its full pages, and the
/// list of those is made anew. All other heaps are laid down as after a fork.
///
/// Should the calling thread have none, another may have begun to use one of them: all
/// count as in use.
pub fn survive_copy() {
    let mine = tls::heap();
    let busy = |heap: &Heap| heap.lists.raw().is_taken();
    if heaps().any(busy) {
        heaps()
            .filter(|heap| busy(heap))
            .for_each(Heap::forget_returned);
        // SAFETY: nobody else runs; the map leads to valid headers, and homes are heaps.
        unsafe {
            for page in map::pages().filter(|&page| (*page).kind == Kind::Slab) {
                let home = (*page).home.load(Ordering::Relaxed) as *const Heap;
                if busy(&*home) && (*page).tally.load().is_full() {
                    (*home).relist(page);
                }
            }
        }
    }
    for heap in heaps() {
        let busy = busy(heap);
        heap.lists.raw().reset();
        if core::ptr::eq(heap, mine) {
            continue;
        }
        if busy {
            heap.dead.store(false, Ordering::Relaxed);
            heap.stranded.store(false, Ordering::Relaxed);
        } else if !mine.is_null() {
            heap.life.renew();
            heap.cut.store(true, Ordering::Relaxed);
            put_down(heap);
        }
    }
    let count = |marked: fn(&Heap) -> &AtomicBool| {
        heaps()
            .filter(|heap| marked(heap).load(Ordering::Relaxed))
            .count()
    };
    DEAD.store(count(|heap| &heap.dead), Ordering::Relaxed);
    STRANDED.store(count(|heap| &heap.stranded), Ordering::Relaxed);
}

/// All heaps, and those that are laid down.
pub fn counts() -> (usize, usize) {
    (COUNT.load(Ordering::Relaxed), DEAD.load(Ordering::Relaxed))
}

/// The lock, for the fork handlers.
pub fn raw_lock() -> &'static RawLock {
    ADD.raw()
}
