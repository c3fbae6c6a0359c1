//! All heaps, and the life of one: made for a thread, laid down at its end, and taken up by
//! another thread. Until then others take over what pages they need, and free what comes back.
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
use super::lists::Lists;
use super::outbox::Outbox;
use super::{init, mode, remote, scavenger, tls};
use crate::backend::meta;
use crate::base::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
use crate::base::class::CLASSES;
use crate::map::{self, Kind};
use crate::sys::lock::{Guard, Lock, Rank, RawLock};
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
/// Who frees into a laid-down heap so many times as often as it has pages inherits them.
const HEIR: usize = 16;
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
        dead => heaps()
            .find(|heap| !heap.stranded.load(Ordering::Relaxed) && take_up(heap))
            .or_else(|| {
                let many = 2 * dead > COUNT.load(Ordering::Relaxed);
                heaps().find(|heap| many && take_up(heap))
            }),
    };
    let heap = match dead {
        Some(heap) => {
            let pointer = core::ptr::from_ref(heap).cast_mut();
            tls::set_heap(pointer);
            heap.life.begin();
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
    // SAFETY: the heap is the calling thread's.
    mode::apply(unsafe { &*heap });
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

/// Takes a laid-down heap in hand, to be laid down again. False if it is in use.
fn hold(heap: &Heap) -> bool {
    let held = heap.dead.load(Ordering::Relaxed)
        && heap
            .dead
            .compare_exchange(true, false, Ordering::SeqCst, Ordering::Relaxed)
            .is_ok();
    if held && heap.cut.swap(false, Ordering::Relaxed) {
        // SAFETY: the heap is the caller's. Blocks under way are given up.
        unsafe {
            *heap.outbox.get() = Outbox::NEW;
            heap.recount(&mut heap.lists.lock());
        }
    }
    held
}

/// Takes a laid-down heap for good. False if it is in use.
fn take_up(heap: &Heap) -> bool {
    let held = hold(heap);
    if held {
        DEAD.fetch_sub(1, Ordering::Relaxed);
        set_stranded(heap, false);
    }
    held
}

fn set_stranded(heap: &Heap, stranded: bool) {
    match (heap.stranded.swap(stranded, Ordering::Relaxed), stranded) {
        (false, true) => STRANDED.fetch_add(1, Ordering::Relaxed),
        (true, false) => STRANDED.fetch_sub(1, Ordering::Relaxed),
        _ => 0,
    };
}

/// Tells others what pages a heap has that is about to be laid down.
fn mark(heap: &Heap, lists: &mut Lists) {
    set_stranded(heap, heap.pages(lists) > 0);
    heap.tell_classes(lists);
}

/// Lays a heap down that the caller has to itself and whose life nobody holds.
fn put_down(heap: &Heap) {
    let mut lists = heap.lists.lock();
    mark(heap, &mut lists);
    heap.received.store(0, Ordering::Relaxed);
    heap.ask(Asked::Some);
    DEAD.fetch_add(1, Ordering::Relaxed);
    let_lie(heap, lists);
}

/// Looks after the heaps of threads that ended without laying them down. Looks at a few heaps, and
/// at others the next time.
fn find_ended(caller: *mut Heap) {
    let mut at = CURSOR.load(Ordering::Relaxed);
    for _ in 0..LOOKS {
        if at.is_null() {
            at = HEAPS.load(Ordering::Acquire);
        }
        // SAFETY: heaps stay for ever.
        let Some(heap) = (unsafe { at.as_ref() }) else {
            return;
        };
        if !heap.dead.load(Ordering::Relaxed) {
            tidy_dead(caller, heap);
        }
        at = heap.next.load(Ordering::Relaxed);
    }
    CURSOR.store(at, Ordering::Relaxed);
}

/// Gives back what no block in use needs in `heap`, and sends what waits there for others.
/// `caller` is the calling thread's heap, or null.
///
/// # Safety
/// The heap is in the hands of the calling thread, which holds no lock.
pub unsafe fn give_back(caller: *mut Heap, heap: *mut Heap) {
    // SAFETY: as the caller says.
    unsafe {
        let h = &*heap;
        remote::flush(caller, heap);
        alloc::empty_shelf(h);
        let mut lists = h.lists.lock();
        let strays = h.collect(&mut lists);
        h.release_free(&mut lists);
        (*h.arena.get()).release_empty();
        drop(lists);
        remote::send_all(caller, strays);
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
        give_back(heap, heap);
        h.leave_arena();
        tls::set_heap(null_mut());
        h.life.end();
        put_down(h);
        receive_late(null_mut(), h);
    }
}

/// Whether some laid-down heap has pages.
#[inline]
pub fn any_stranded() -> bool {
    STRANDED.load(Ordering::Relaxed) > 0
}

/// Lays a heap down again that was in hand. Under its lock: who lists a returned page either comes
/// before, or finds the heap dead.
fn let_lie(heap: &Heap, lists: Guard<'_, Lists>) {
    heap.dead.store(true, Ordering::SeqCst);
    drop(lists);
}

/// Takes over a few pages of `bin` that have room, from one laid-down heap. Says whether it has
/// found some. The calling thread holds no lock.
pub fn adopt_some(into: *mut Heap, bin: usize) -> bool {
    let class = bin % CLASSES;
    let has = |heap: &&Heap| heap.dead.load(Ordering::Relaxed) && heap.has_class(class);
    for heap in heaps().filter(has).take(LOOKS).filter(|heap| hold(heap)) {
        let mut theirs = heap.lists.lock();
        // SAFETY: both heaps are the caller's. A second heap's lock only if nobody has it.
        let found = unsafe {
            let into = &*into;
            let lists = into.lists.try_lock();
            lists.is_some_and(|mut lists| into.take_some(&mut lists, heap, &mut theirs, bin))
        };
        mark(heap, &mut theirs);
        if !found {
            // Others need not look until something comes back.
            heap.lacks_class(class);
        }
        let_lie(heap, theirs);
        receive_late(into, heap);
        if found {
            return true;
        }
    }
    false
}

/// Frees what has come back to a laid-down heap. Nothing happens if somebody else has it in hand.
/// `caller` is the calling thread's heap, or null; the thread holds no lock. A caller that goes on
/// and on freeing into the heap becomes its heir, for whom frees are fast.
pub fn receive(caller: *mut Heap, heap: &Heap) {
    while hold(heap) {
        let mut lists = heap.lists.lock();
        let returned = lists.returned.len() > 0;
        // SAFETY: the heap is in hand, and the caller's is its own. A second heap's lock only if
        // nobody has it.
        let strays = unsafe {
            let strays = heap.collect(&mut lists);
            let often = heap.count_received();
            let inherits = often.is_multiple_of(HEIR) && often / HEIR >= heap.pages(&mut lists);
            if inherits
                && let Some(heir) = caller.as_ref()
                && let Some(mut mine) = heir.lists.try_lock()
            {
                heir.take_over(&mut mine, heap, &mut lists);
                mark(heap, &mut lists);
            } else if returned || lists.kept_bytes > 0 {
                heap.release_free(&mut lists);
                mark(heap, &mut lists);
            }
            strays
        };
        let_lie(heap, lists);
        // SAFETY: as above.
        unsafe { remote::send_all(caller, strays) };
        // Mail that came meanwhile found a heap in use, and nobody else will look.
        if heap.mailbox.is_empty_for_good() {
            return;
        }
    }
}

fn receive_late(caller: *mut Heap, heap: &Heap) {
    if !heap.mailbox.is_empty_for_good() {
        receive(caller, heap);
    }
}

/// Gives back what is free in a laid-down heap, or one whose thread has ended, holes included, if
/// it has changed since the last time. False if the heap is in use.
pub fn tidy_dead(caller: *mut Heap, heap: &Heap) -> bool {
    if !heap.dead.load(Ordering::Relaxed) {
        if !heap.life.ended() {
            return false;
        }
        put_down(heap);
    }
    if heap.is_asked() && hold(heap) {
        // SAFETY: the heap is in hand.
        unsafe {
            give_back(caller, core::ptr::from_ref(heap).cast_mut());
            heap.leave_arena();
            heap.punch_all();
        }
        heap.take_asked();
        let mut lists = heap.lists.lock();
        mark(heap, &mut lists);
        let_lie(heap, lists);
        receive_late(caller, heap);
    }
    true
}

/// In a fork child: all heaps but the calling thread's are laid down, and may have been
/// cut off in the middle of an update.
pub fn survive_fork() {
    let mine = tls::heap();
    STRANDED.store(0, Ordering::Relaxed);
    DEAD.store(0, Ordering::Relaxed);
    for heap in heaps() {
        heap.lists.raw().reset();
        heap.recount_arena();
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
        if !busy && !mine.is_null() {
            heap.recount_arena();
        }
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
