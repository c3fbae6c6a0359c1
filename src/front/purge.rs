//! Memory given back because the program asks for it.

use super::{alloc, remote, tls};
use crate::backend::budget;

/// Gives back what is kept for later. Says whether anything went back to the system.
pub fn purge() -> bool {
    let before = budget::purged();
    let heap = tls::heap();
    if !heap.is_null() {
        // SAFETY: the heap is the calling thread's, which holds no lock.
        unsafe {
            remote::flush(heap, heap);
            let strays = (*heap).collect(&mut (*heap).lists.lock());
            remote::send_all(heap, strays);
            alloc::release_spare(heap);
        }
    }
    budget::purged() != before
}
