//! A heap that others look at: laid down, or in a new mode.

use super::model;
use loom::cell::UnsafeCell;
use loom::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use loom::sync::{Arc, Mutex};
use loom::thread;
use std::vec::Vec;

/// A laid-down heap with full pages, into which others free: `registry::receive`, and
/// `remote::first_or_last` for a home that is dead.
struct Dead {
    dead: AtomicBool,
    stranded: AtomicBool,
    /// Which pages are returned, and how many have been listed.
    pages: Mutex<([bool; 2], usize)>,
}

impl Dead {
    fn receive(&self) {
        let held = self
            .dead
            .compare_exchange(true, false, Ordering::SeqCst, Ordering::Relaxed);
        if held.is_ok() {
            let mut pages = self.pages.lock().unwrap();
            pages.1 += pages.0.iter().filter(|&&page| page).count();
            pages.0 = [false; 2];
            self.stranded.store(pages.1 > 0, Ordering::Relaxed);
            // Under the lock: who returns a page either comes before or finds the heap dead.
            self.dead.store(true, Ordering::SeqCst);
        }
    }

    fn free_into(&self, page: usize) {
        self.pages.lock().unwrap().0[page] = true;
        if self.dead.load(Ordering::SeqCst) {
            self.receive();
        }
    }
}

#[test]
fn a_dead_home_strands_no_page_unseen() {
    model(|| {
        let home = Arc::new(Dead {
            dead: AtomicBool::new(true),
            stranded: AtomicBool::new(false),
            pages: Mutex::new(([false; 2], 0)),
        });
        let freers: Vec<_> = (0..2)
            .map(|page| {
                let home = home.clone();
                thread::spawn(move || home.free_into(page))
            })
            .collect();
        for freer in freers {
            freer.join().unwrap();
        }
        assert_eq!(*home.pages.lock().unwrap(), ([false; 2], 2));
        assert!(home.dead.load(Ordering::SeqCst));
        assert!(home.stranded.load(Ordering::Relaxed));
    });
}

/// The mode of a heap, under its lock, and the entries of its fast path.
struct Moded {
    routed: Mutex<bool>,
    direct: [AtomicUsize; 2],
    /// Blocks popped on the fast path: the owner's.
    popped: UnsafeCell<u32>,
}

// SAFETY: `popped` is the owner's.
unsafe impl Sync for Moded {}
// SAFETY: as above.
unsafe impl Send for Moded {}

const SENTINEL: usize = 0;
const PAGE: usize = 1;

impl Moded {
    /// An allocation by the owner. Whether it came to the slow path and saw the new mode.
    fn alloc(&self, class: usize) -> bool {
        if self.direct[class].load(Ordering::Relaxed) == PAGE {
            // SAFETY: the owner calls.
            self.popped.with_mut(|popped| unsafe { *popped += 1 });
            return false;
        }
        let routed = self.routed.lock().unwrap();
        if !*routed {
            // A refill writes the entry under the lock, so it cannot undo a new mode.
            self.direct[class].store(PAGE, Ordering::Relaxed);
        }
        *routed
    }

    /// Another thread changes the mode.
    fn route(&self) {
        let mut routed = self.routed.lock().unwrap();
        *routed = true;
        for entry in &self.direct {
            entry.store(SENTINEL, Ordering::Relaxed);
        }
    }
}

#[test]
fn a_new_mode_reaches_an_owner_that_only_pops() {
    model(|| {
        let heap = Arc::new(Moded {
            routed: Mutex::new(false),
            direct: [AtomicUsize::new(PAGE), AtomicUsize::new(SENTINEL)],
            popped: UnsafeCell::new(0),
        });
        let other = {
            let heap = heap.clone();
            thread::spawn(move || heap.route())
        };
        let mut seen = [false; 2];
        for class in [0, 1, 1, 0] {
            let routed = heap.alloc(class);
            assert!(routed || !seen[class], "a mode that was seen is undone");
            seen[class] |= routed;
        }
        other.join().unwrap();
        assert!(heap.alloc(0) && heap.alloc(1));
    });
}
