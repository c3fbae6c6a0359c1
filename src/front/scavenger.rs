//! A thread that gives back what has long been free, if the option asks for one.
//!
//! It owns no pages: it purges spans and mappings that were dirty from one turn to the
//! next, empties the shelves, tidies the heaps of ended threads, and asks the others for
//! what only their threads can give.
//!
//! It is started by whoever looks for a page first, once the option is known, and so again
//! in a fork child.

use super::heap::{Asked, Heap};
use super::{alloc, registry, tls};
use crate::backend::{buddy, system};
use crate::base::atomic::{AtomicBool, Ordering};
use crate::options;
use crate::sys::{lock, thread};
use core::ffi::c_void;
use core::ptr::null_mut;

/// From one turn to the next, in milliseconds.
const TURN: usize = 500;

/// Whether the option asks for a thread and none has been started.
static WANTED: AtomicBool = AtomicBool::new(false);

/// The environment has been read, or a fork child begins: a thread is started soon, if the
/// option asks for it.
pub fn want() {
    if options::scavenger() {
        WANTED.store(true, Ordering::Relaxed);
        let heap = tls::heap();
        if !heap.is_null() {
            // SAFETY: the calling thread's heap.
            unsafe { (*heap).ask(Asked::Some) };
        }
    }
}

/// Starts the thread if it is wanted. The caller has a heap and holds no lock: libc may
/// allocate.
pub fn start() {
    if WANTED.load(Ordering::Relaxed)
        && !lock::is_forking()
        && WANTED.swap(false, Ordering::Relaxed)
    {
        thread::spawn(run);
    }
}

extern "C" fn run(_: *mut c_void) -> *mut c_void {
    thread::set_name(c"lohalloc");
    loop {
        thread::sleep(TURN);
        registry::heaps().for_each(turn);
        buddy::purge_rested();
        system::release_rested();
    }
}

fn turn(heap: &Heap) {
    alloc::empty_shelf(heap);
    if !registry::tidy_dead(null_mut(), heap) {
        heap.ask(Asked::Some);
    }
}
