//! A lock of one word: spins shortly, then sleeps in the kernel.
//!
//! Over a fork the forking thread holds every lock of the allocator, and handlers of
//! other libraries run meanwhile and allocate. So the thread named by `FORKING` passes
//! every lock without taking it.
//!
//! In a copy of the process that no fork handler has seen, locks of threads that are not
//! there stay taken. So each attempt looks for that first; see `copy`.
//!
//! Ranks: a thread that holds a lock may take only locks of a higher rank. Tests and
//! debug builds of tests check it.

use super::syscall::{SYS_futex, syscall};
use super::{copy, thread};
use crate::base::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use core::cell::UnsafeCell;
use core::ops::{Deref, DerefMut};

/// The order in which locks are taken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Rank {
    /// The list of all heaps.
    Registry,
    /// A heap's slow path. Two at once only by `try_lock`, or in the fork handler.
    Heap,
    /// Samples.
    Sampler,
    /// Free spans.
    Buddy,
    /// Blocks with a mapping of their own.
    System,
    /// Upper tables of the page map.
    Map,
    /// Memory for the allocator's own objects.
    Meta,
}

const FREE: u32 = 0;
const TAKEN: u32 = 1;

/// How long a sleeper sleeps before it looks again.
static NAP: libc::timespec = libc::timespec {
    tv_sec: 0,
    tv_nsec: 1_000_000,
};

static FORKING: AtomicUsize = AtomicUsize::new(0);
static GIVEN_UP: AtomicBool = AtomicBool::new(false);

/// Names the thread that forks; 0 when none does.
pub fn set_forking(thread: usize) {
    FORKING.store(thread, Ordering::Relaxed);
}

/// Whether a thread forks, or has given up.
pub fn is_forking() -> bool {
    FORKING.load(Ordering::Relaxed) != 0
}

/// The calling thread is about to end the process, perhaps with locks in its hands: it
/// passes all of them from now on, in handlers that allocate, and fork, too.
pub fn give_up() {
    set_forking(thread::pointer());
    GIVEN_UP.store(true, Ordering::Relaxed);
}

/// Whether the process is about to end.
pub fn is_given_up() -> bool {
    GIVEN_UP.load(Ordering::Relaxed)
}

/// The bare lock, without the data.
pub struct RawLock {
    word: AtomicU32,
    /// Threads that sleep, or are about to.
    waiting: AtomicU32,
    rank: Rank,
}

impl RawLock {
    pub const fn new(rank: Rank) -> Self {
        RawLock {
            word: AtomicU32::new(FREE),
            waiting: AtomicU32::new(0),
            rank,
        }
    }

    /// Takes the lock. The guard gives it back.
    #[inline]
    pub fn lock(&self) -> RawGuard<'_> {
        if self.passes() {
            return RawGuard { lock: None };
        }
        ranks::enter(self.rank);
        self.take();
        RawGuard { lock: Some(self) }
    }

    /// Takes the lock if nobody has it.
    #[inline]
    pub fn try_lock(&self) -> Option<RawGuard<'_>> {
        if self.passes() {
            return Some(RawGuard { lock: None });
        }
        self.word
            .compare_exchange(FREE, TAKEN, Ordering::Acquire, Ordering::Relaxed)
            .ok()?;
        ranks::enter_tried(self.rank);
        Some(RawGuard { lock: Some(self) })
    }

    #[inline]
    fn passes(&self) -> bool {
        let forking = FORKING.load(Ordering::Relaxed);
        if forking != 0 && forking == thread::pointer() {
            return true;
        }
        copy::check();
        false
    }

    /// Takes the lock without a guard: for the fork handlers.
    #[inline]
    pub fn take(&self) {
        // Acquire pairs with the release in `give`.
        if self
            .word
            .compare_exchange(FREE, TAKEN, Ordering::Acquire, Ordering::Relaxed)
            .is_err()
        {
            self.wait();
        }
    }

    #[cold]
    fn wait(&self) {
        for _ in 0..100 {
            core::hint::spin_loop();
            if self.word.load(Ordering::Relaxed) == FREE
                && self
                    .word
                    .compare_exchange(FREE, TAKEN, Ordering::Acquire, Ordering::Relaxed)
                    .is_ok()
            {
                return;
            }
        }
        self.waiting.fetch_add(1, Ordering::SeqCst);
        while self.word.swap(TAKEN, Ordering::Acquire) != FREE {
            self.futex(libc::FUTEX_WAIT, TAKEN, &raw const NAP as usize);
        }
        self.waiting.fetch_sub(1, Ordering::Relaxed);
    }

    /// Gives the lock back; the other half of `take`.
    ///
    /// A plain store, where an exchange would cost as much as taking the lock did. It may
    /// pass the look at `waiting`, and a sleeper may be missed; so none sleeps for long.
    #[inline]
    pub fn give(&self) {
        self.word.store(FREE, Ordering::Release);
        if self.waiting.load(Ordering::Relaxed) != 0 {
            self.futex(libc::FUTEX_WAKE, 1, 0);
        }
    }

    /// Whether somebody has the lock: of use only where nobody else runs.
    pub fn is_taken(&self) -> bool {
        self.word.load(Ordering::Relaxed) != FREE
    }

    /// Makes the lock free in a fork child, whose other threads are gone.
    pub fn reset(&self) {
        self.word.store(FREE, Ordering::Relaxed);
        self.waiting.store(0, Ordering::Relaxed);
    }

    #[cold]
    fn futex(&self, what: i32, value: u32, timeout: usize) {
        let how = (what | libc::FUTEX_PRIVATE_FLAG) as usize;
        let args = [
            self.word.as_ptr() as usize,
            how,
            value as usize,
            timeout,
            0,
            0,
        ];
        // SAFETY: the word lives as long as the lock; a spurious return is harmless.
        let _ = unsafe { syscall(SYS_futex, args) };
    }
}

pub struct RawGuard<'a> {
    lock: Option<&'a RawLock>,
}

impl Drop for RawGuard<'_> {
    #[inline]
    fn drop(&mut self) {
        if let Some(lock) = self.lock {
            ranks::leave(lock.rank);
            lock.give();
        }
    }
}

/// A lock around data.
pub struct Lock<T> {
    raw: RawLock,
    data: UnsafeCell<T>,
}

// SAFETY: the data is reached through a guard only, and one thread has that.
unsafe impl<T> Sync for Lock<T> {}

impl<T> Lock<T> {
    pub const fn new(rank: Rank, data: T) -> Self {
        Lock {
            raw: RawLock::new(rank),
            data: UnsafeCell::new(data),
        }
    }

    #[inline]
    pub fn lock(&self) -> Guard<'_, T> {
        Guard {
            _raw: self.raw.lock(),
            // SAFETY: the raw guard beside it is held as long as the reference.
            data: unsafe { &mut *self.data.get() },
        }
    }

    /// Takes the lock if nobody has it.
    #[inline]
    pub fn try_lock(&self) -> Option<Guard<'_, T>> {
        Some(Guard {
            _raw: self.raw.try_lock()?,
            // SAFETY: as in `lock`.
            data: unsafe { &mut *self.data.get() },
        })
    }

    /// The bare lock: for the fork handlers.
    pub fn raw(&self) -> &RawLock {
        &self.raw
    }
}

pub struct Guard<'a, T> {
    data: &'a mut T,
    _raw: RawGuard<'a>,
}

impl<T> Deref for Guard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        self.data
    }
}

impl<T> DerefMut for Guard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.data
    }
}

#[cfg(all(test, debug_assertions))]
mod ranks {
    //! How many locks of each rank a thread of a test holds. Without a destructor, since
    //! threads take locks at their very end, too.
    use super::Rank;
    use std::cell::Cell;

    std::thread_local! {
        static HELD: Cell<[u8; Rank::Meta as usize + 1]> = const { Cell::new([0; Rank::Meta as usize + 1]) };
    }

    fn change(rank: Rank, by: i8) {
        let mut held = HELD.get();
        held[rank as usize] = held[rank as usize].checked_add_signed(by).expect("held");
        HELD.set(held);
    }

    pub fn enter(rank: Rank) {
        let held = HELD.get();
        let below = held[rank as usize..].iter().all(|&count| count == 0);
        assert!(below, "{rank:?} taken under {held:?}");
        change(rank, 1);
    }

    pub fn enter_tried(rank: Rank) {
        change(rank, 1);
    }

    pub fn leave(rank: Rank) {
        change(rank, -1);
    }
}

#[cfg(not(all(test, debug_assertions)))]
mod ranks {
    use super::Rank;
    #[inline(always)]
    pub fn enter(_: Rank) {}
    #[inline(always)]
    pub fn enter_tried(_: Rank) {}
    #[inline(always)]
    pub fn leave(_: Rank) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_at_a_time() {
        static SUM: Lock<u64> = Lock::new(Rank::Meta, 0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..20_000 {
                        *SUM.lock() += 1;
                    }
                });
            }
        });
        assert_eq!(*SUM.lock(), 80_000);
    }
}
