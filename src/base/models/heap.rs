//! A heap that others look at: laid down, or in a new mode.

use super::model;
use loom::cell::UnsafeCell;
use loom::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use loom::sync::{Arc, Mutex};
use loom::thread;
use std::vec::Vec;

/// A laid-down heap with full pages, into which others free: `registry::put_down`,
/// `registry::absorb`, and `remote::first_or_last` for a home that is dead.
struct Dead {
    dead: AtomicBool,
    stranded: AtomicBool,
    /// Which pages are returned.
    returned: Mutex<[bool; 2]>,
    taken: AtomicUsize,
}

impl Dead {
    fn put_down(&self) {
        let returned = self.returned.lock().unwrap();
        if returned.contains(&true) {
            self.stranded.store(true, Ordering::Relaxed);
        }
        self.dead.store(true, Ordering::SeqCst);
    }

    fn absorb(&self) {
        let taken = self
            .dead
            .compare_exchange(true, false, Ordering::SeqCst, Ordering::Relaxed);
        if taken.is_ok() {
            self.stranded.store(false, Ordering::Relaxed);
            // Others have the lock for a moment only; who cannot get it moves nothing.
            if let Ok(mut returned) = self.returned.try_lock() {
                let count = returned.iter().filter(|&&page| page).count();
                *returned = [false; 2];
                self.taken.fetch_add(count, Ordering::Relaxed);
            }
            self.put_down();
        }
    }

    fn free_into(&self, page: usize) {
        self.returned.lock().unwrap()[page] = true;
        if self.dead.load(Ordering::SeqCst) {
            self.absorb();
        }
    }
}

#[test]
fn a_dead_home_strands_no_page_unseen() {
    model(|| {
        let home = Arc::new(Dead {
            dead: AtomicBool::new(true),
            stranded: AtomicBool::new(false),
            returned: Mutex::new([false; 2]),
            taken: AtomicUsize::new(0),
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
        let left = home
            .returned
            .lock()
            .unwrap()
            .iter()
            .filter(|&&page| page)
            .count();
        assert_eq!(left + home.taken.load(Ordering::Relaxed), 2);
        assert!(home.dead.load(Ordering::SeqCst));
        assert_eq!(home.stranded.load(Ordering::Relaxed), left > 0);
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
