//! The stack of the calling thread.

use super::thread;
use crate::base::atomic::{AtomicUsize, Ordering};

/// The control block of the thread that started the process, once it is known.
static FIRST: AtomicUsize = AtomicUsize::new(0);

/// How much of a stack is known to be one: a coroutine's may lie anywhere below its
/// thread's, with other mappings between.
const DEPTH: usize = 8 << 20;

/// Called once, from the constructor.
pub fn note_first_thread() {
    FIRST.store(thread::pointer(), Ordering::Relaxed);
}

/// Whether `address` is on the stack that the calling thread was started with, and which
/// it runs on. False if that cannot be told.
pub fn holds(address: usize) -> bool {
    let here = 0u8;
    let sp = &raw const here as usize;
    // The first thread's stack ends with the name of the program, any other's with its
    // control block.
    let end = match thread::pointer() {
        // SAFETY: getauxval reads a table that never changes.
        first if first == FIRST.load(Ordering::Relaxed) => unsafe {
            libc::getauxval(libc::AT_EXECFN) as usize
        },
        other => other,
    };
    (sp..end).contains(&address) && end - sp <= DEPTH
}
