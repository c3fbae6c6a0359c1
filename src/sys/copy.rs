//! Notices a copy of the process that no fork handler has prepared: a child of a raw
//! `clone`, or of `_Fork`.
//!
//! The mark lies on an OS page that the kernel gives to children as zeroes. A child of
//! `vfork`, which shares the memory, finds it as it was.

use super::vm;
use crate::base::atomic::{AtomicPtr, AtomicU32, Ordering};
use core::mem::transmute;
use core::ptr::null_mut;

/// No other object lies on its OS page, whatever size those have.
#[repr(C)]
#[cfg_attr(target_arch = "x86_64", repr(align(4096)))]
#[cfg_attr(not(target_arch = "x86_64"), repr(align(65536)))]
struct Mark(AtomicU32);

static MARK: Mark = Mark(AtomicU32::new(WIPED));
const WIPED: u32 = 0;
const CALM: u32 = 1;
/// A thread puts things in order; others wait.
const BUSY: u32 = 2;

/// The function that puts things in order; null while nothing is watched.
static RECOVER: AtomicPtr<()> = AtomicPtr::new(null_mut());

/// From now on, the first thread of an unprepared copy that calls `check` calls `recover`.
/// Nothing happens where the kernel knows no such mark. Called once.
pub fn watch(recover: fn()) {
    MARK.0.store(CALM, Ordering::Relaxed);
    if vm::wipe_in_copies(&raw const MARK as usize, size_of::<Mark>()) {
        // Release: who finds the function finds the mark set.
        RECOVER.store(recover as *mut (), Ordering::Release);
    }
}

/// Before a lock is taken. Returns once things are in order.
#[inline]
pub fn check() {
    if MARK.0.load(Ordering::Relaxed) != CALM {
        unusual();
    }
}

/// A fork handler has put things in order.
pub fn renew() {
    MARK.0.store(CALM, Ordering::Relaxed);
}

#[cold]
fn unusual() {
    let recover = RECOVER.load(Ordering::Acquire);
    if recover.is_null() {
        return;
    }
    // Acquire and release: who goes on sees what `recover` did.
    while let Err(mark) = MARK
        .0
        .compare_exchange(WIPED, BUSY, Ordering::Acquire, Ordering::Acquire)
    {
        if mark == CALM {
            return;
        }
        core::hint::spin_loop();
    }
    // SAFETY: `watch` stored a function of this type.
    unsafe { transmute::<*mut (), fn()>(recover)() };
    MARK.0.store(CALM, Ordering::Release);
}
