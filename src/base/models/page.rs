//! A page that others free into, and its home.

use super::{Blocks, length, model};
use crate::base::block::Chain;
use crate::base::mailbox::Mailbox;
use crate::base::tally::Tally;
use loom::cell::UnsafeCell;
use loom::sync::atomic::{AtomicUsize, Ordering};
use loom::sync::{Arc, Mutex};
use loom::thread;
use std::vec::Vec;

/// What the lock of a home protects.
#[derive(Default)]
struct Lists {
    returned: bool,
    /// Blocks that came back to an owned page through its free list.
    freed: u32,
}

/// A page and its home: `remote::send`, `remote::first_or_last`, `Heap::collect` and
/// `Heap::take_back`.
struct Homed {
    tally: Tally,
    mailbox: Mailbox,
    lists: Mutex<Lists>,
    capacity: u32,
    /// The owner's fields of the page.
    used: UnsafeCell<u32>,
    released: AtomicUsize,
    blocks: Blocks,
}

// SAFETY: `used` is the owner's.
unsafe impl Sync for Homed {}
// SAFETY: as above.
unsafe impl Send for Homed {}

impl Homed {
    fn new(capacity: usize) -> Homed {
        Homed {
            tally: Tally::new(),
            mailbox: Mailbox::new(),
            lists: Mutex::new(Lists::default()),
            capacity: capacity as u32,
            used: UnsafeCell::new(0),
            released: AtomicUsize::new(0),
            blocks: Blocks::new(capacity),
        }
    }

    fn let_go(&self) {
        // SAFETY: the owner calls.
        self.used.with_mut(|used| unsafe { *used = self.capacity });
        self.tally.let_go();
    }

    fn send(&self, chain: Chain) {
        loop {
            let word = self.tally.load();
            if !word.is_full() {
                // SAFETY: the chain is the caller's.
                unsafe { self.mailbox.push(chain) };
                return;
            }
            let total = word.count() + chain.count;
            assert!(total <= self.capacity);
            if word.count() > 0 && total < self.capacity {
                // SAFETY: as above.
                if unsafe { self.tally.push(word, chain) }.is_ok() {
                    return;
                }
            } else if self.first_or_last(chain) {
                return;
            }
        }
    }

    fn first_or_last(&self, chain: Chain) -> bool {
        let mut lists = self.lists.lock().unwrap();
        let word = self.tally.load();
        if !word.is_full() {
            return false;
        }
        if word.count() + chain.count == self.capacity {
            if self.tally.claim(word).is_err() {
                return false;
            }
            assert_eq!(lists.returned, word.count() > 0);
            lists.returned = false;
            drop(lists);
            // The page is the caller's, with all blocks: it reads and writes what the owner
            // and the other freers wrote.
            assert_eq!(length(word.head()), word.count());
            // SAFETY: as said.
            self.used.with_mut(|used| unsafe { *used = 0 });
            self.released.fetch_add(1, Ordering::Relaxed);
            return true;
        }
        // SAFETY: the chain is the caller's.
        if word.count() > 0 || unsafe { self.tally.push(word, chain) }.is_err() {
            return false;
        }
        assert!(!lists.returned);
        lists.returned = true;
        true
    }

    /// The home takes back what was freed into the page, and its mail.
    fn collect(&self) {
        let mut lists = self.lists.lock().unwrap();
        if lists.returned {
            lists.returned = false;
            let word = self.tally.reclaim();
            assert!(word.is_full() && word.count() > 0 && word.count() < self.capacity);
            assert_eq!(length(word.head()), word.count());
            // SAFETY: the page is the home's now.
            self.used
                .with_mut(|used| unsafe { *used = self.capacity - word.count() });
            lists.freed += word.count();
        }
        let mail = length(self.mailbox.take());
        if mail > 0 {
            if self.tally.load().is_full() {
                let word = self.tally.reclaim();
                // SAFETY: as above.
                self.used
                    .with_mut(|used| unsafe { *used = self.capacity - word.count() });
                lists.freed += length(word.head());
            }
            // SAFETY: as above.
            self.used.with_mut(|used| unsafe { *used -= mail });
            lists.freed += mail;
        }
    }

    /// After all have come back the page is free, in exactly one way.
    fn finish(&self) {
        self.collect();
        let lists = self.lists.lock().unwrap();
        assert!(!self.tally.load().is_full() && !lists.returned && self.mailbox.is_empty());
        // SAFETY: all others have ended.
        self.used.with(|used| unsafe { assert_eq!(*used, 0) });
        match self.released.load(Ordering::Relaxed) {
            0 => assert_eq!(lists.freed, self.capacity),
            1 => assert_eq!(lists.freed, 0),
            more => panic!("released {more} times"),
        }
    }
}

/// Each of `freers` sends its chains, while the home lets the page go first if
/// `late`, and collects `collects` times.
fn full_page(
    capacity: usize,
    freers: &'static [&'static [&'static [usize]]],
    late: bool,
    collects: u32,
) {
    model(move || {
        let page = Arc::new(Homed::new(capacity));
        if !late {
            page.let_go();
        } else {
            // SAFETY: nobody else is there yet.
            page.used
                .with_mut(|used| unsafe { *used = capacity as u32 });
        }
        let threads: Vec<_> = freers
            .iter()
            .map(|chains| {
                let page = page.clone();
                thread::spawn(move || {
                    for chain in *chains {
                        page.send(page.blocks.chain(chain));
                    }
                })
            })
            .collect();
        if late {
            page.let_go();
        }
        for _ in 0..collects {
            page.collect();
        }
        for thread in threads {
            thread.join().unwrap();
        }
        page.finish();
    });
}

#[test]
fn one_of_two_freers_claims_a_full_page() {
    full_page(2, &[&[&[0]], &[&[1]]], false, 0);
}

#[test]
fn chains_between_first_and_last_need_no_lock() {
    full_page(4, &[&[&[0], &[1]], &[&[2], &[3]]], false, 0);
}

#[test]
fn a_full_page_goes_to_its_home_or_to_the_last_freer() {
    full_page(3, &[&[&[0], &[1]], &[&[2]]], false, 1);
}

#[test]
fn a_page_is_let_go_while_others_free() {
    full_page(2, &[&[&[0]], &[&[1]]], true, 1);
}
