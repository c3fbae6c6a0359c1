//! Fork: the child gets a heap in order, whatever other threads were doing.
//!
//! Before the fork the forking thread takes every lock of the allocator, in the order of
//! their ranks; other libraries' handlers that allocate meanwhile pass them all. In the
//! child the locks are made anew, and the heaps of threads that stayed behind are laid
//! down.
//!
//! A copy of the process that no handler has prepared is put in order at its first lock:
//! what nobody had in hand is whole, as after a fork. Of the rest, what can be told from
//! the page map is made anew, and what cannot is given up.

use super::{registry, sampler, scavenger};
use crate::backend::{arena, buddy, meta, system};
use crate::map;
use crate::sys::lock::{RawLock, is_given_up, set_forking};
use crate::sys::{copy, thread};

/// The locks above those of the heaps, in the order of their ranks.
fn upper_locks() -> [&'static RawLock; 7] {
    let [small, large] = buddy::raw_locks();
    [
        sampler::raw_lock(),
        small,
        large,
        system::raw_lock(),
        map::raw_lock(),
        meta::raw_lock(),
        arena::raw_lock(),
    ]
}

pub unsafe extern "C" fn prepare() {
    copy::check();
    if is_given_up() {
        return;
    }
    registry::raw_lock().take();
    registry::heaps().for_each(|heap| heap.lists.raw().take());
    upper_locks().iter().for_each(|lock| lock.take());
    set_forking(thread::pointer());
}

pub unsafe extern "C" fn parent() {
    if is_given_up() {
        return;
    }
    set_forking(0);
    upper_locks().iter().rev().for_each(|lock| lock.give());
    registry::heaps().for_each(|heap| heap.lists.raw().give());
    registry::raw_lock().give();
}

pub unsafe extern "C" fn child() {
    upper_locks().iter().for_each(|lock| lock.reset());
    registry::raw_lock().reset();
    set_forking(0);
    copy::renew();
    registry::survive_fork();
    sampler::survive_fork();
    scavenger::want();
}

/// In an unprepared copy, before its first lock is taken. Nobody else runs, or has got
/// further than this.
pub fn recover() {
    set_forking(thread::pointer());
    sampler::survive_copy();
    meta::survive_copy();
    arena::survive_copy();
    system::survive_copy();
    buddy::survive_copy();
    upper_locks().iter().for_each(|lock| lock.reset());
    registry::raw_lock().reset();
    registry::survive_copy();
    set_forking(0);
}
