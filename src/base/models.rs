//! Models of the parts without a lock, for loom: every order of their steps, and every
//! value that a weak memory may show.
//!
//! The mailbox and the tally are the real ones. Around them stand the protocols of
//! `front` in miniature: a home with a lock, freers that hold blocks, an owner that ends.
//! Each block carries ink, which its last holder writes and whoever takes it reads: a
//! missing release or acquire is a race on the ink.

use super::block::{Block, Chain};
use super::mailbox::Mailbox;
use super::tally::Tally;
use core::ptr::null_mut;
use loom::cell::UnsafeCell;
use loom::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use loom::sync::{Arc, Mutex};
use loom::thread;
use std::vec::Vec;

/// Runs a model with at most three preemptions, unless LOOM_MAX_PREEMPTIONS says otherwise.
fn model(run: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = builder.preemption_bound.or(Some(3));
    builder.check(run);
}

#[repr(C)]
struct Inked {
    block: Block,
    ink: UnsafeCell<u32>,
}

/// The blocks of a page.
struct Blocks(Vec<Inked>);

// SAFETY: the models hand each block from one holder to the next.
unsafe impl Send for Blocks {}
// SAFETY: as above.
unsafe impl Sync for Blocks {}

impl Blocks {
    fn new(count: usize) -> Blocks {
        let fresh = |_| Inked {
            block: Block {
                next: null_mut(),
                key: 0,
            },
            ink: UnsafeCell::new(0),
        };
        Blocks((0..count).map(fresh).collect())
    }

    /// Block `index`, written by the calling thread, which frees it.
    fn freed(&self, index: usize) -> *mut Block {
        let inked = &raw const self.0[index];
        // SAFETY: the block is the calling thread's.
        unsafe { (*inked).ink.with_mut(|ink| *ink += 1) };
        inked.cast_mut().cast()
    }

    fn chain(&self, indices: &[usize]) -> Chain {
        let mut chain = Chain::EMPTY;
        for &index in indices {
            // SAFETY: the blocks are the calling thread's.
            unsafe { chain.push(self.freed(index)) };
        }
        chain
    }
}

/// The length of a chain that ends in null. Reads the ink of each block.
fn length(mut at: *mut Block) -> u32 {
    let mut count = 0;
    while !at.is_null() {
        // SAFETY: the chain is the caller's.
        unsafe {
            (*at.cast::<Inked>()).ink.with(|ink| assert_eq!(*ink, 1));
            at = (*at).next;
        }
        count += 1;
        assert!(count <= 8, "a ring");
    }
    count
}

#[test]
fn mail_arrives_once() {
    model(|| {
        let shared = Arc::new((Mailbox::new(), Blocks::new(4)));
        let pushers: Vec<_> = [[0, 1], [2, 3]]
            .into_iter()
            .map(|mine| {
                let shared = shared.clone();
                thread::spawn(move || {
                    let (mailbox, blocks) = &*shared;
                    // SAFETY: the chains are the pusher's.
                    unsafe {
                        mailbox.push(blocks.chain(&mine[..1]));
                        mailbox.push(blocks.chain(&mine[1..]));
                    }
                })
            })
            .collect();
        let mut found = length(shared.0.take());
        if !shared.0.is_empty() {
            found += length(shared.0.take());
        }
        for pusher in pushers {
            pusher.join().unwrap();
        }
        found += length(shared.0.take());
        assert_eq!(found, 4);
    });
}

/// A heap whose owner ends: `registry::lay_down` and `registry::absorb`.
struct Ending {
    mailbox: Mailbox,
    dead: AtomicBool,
    /// What has been taken out of the mailbox; only who has the heap to itself writes.
    found: UnsafeCell<u32>,
}

impl Ending {
    fn new() -> Ending {
        let ending = Ending {
            mailbox: Mailbox::new(),
            dead: AtomicBool::new(true),
            found: UnsafeCell::new(0),
        };
        // Loom orders sequentially consistent loads among such stores only.
        ending.dead.store(false, Ordering::SeqCst);
        ending.mailbox.take();
        ending
    }

    fn collect(&self) {
        let count = length(self.mailbox.take());
        // SAFETY: the caller has the heap to itself.
        self.found.with_mut(|found| unsafe { *found += count });
    }

    fn absorb(&self) {
        while self
            .dead
            .compare_exchange(true, false, Ordering::SeqCst, Ordering::Relaxed)
            .is_ok()
        {
            self.collect();
            self.dead.store(true, Ordering::SeqCst);
            if self.mailbox.is_empty_for_good() {
                return;
            }
        }
    }

    fn lay_down(&self) {
        self.collect();
        self.dead.store(true, Ordering::SeqCst);
        if !self.mailbox.is_empty_for_good() {
            self.absorb();
        }
    }

    /// The mailbox's part of `remote::send`.
    fn send(&self, chain: Chain) {
        // SAFETY: the chain is the caller's.
        unsafe { self.mailbox.push(chain) };
        if self.dead.load(Ordering::SeqCst) {
            self.absorb();
        }
    }
}

// SAFETY: `found` follows `dead`.
unsafe impl Sync for Ending {}
// SAFETY: as above.
unsafe impl Send for Ending {}

#[test]
fn an_owner_that_ends_leaves_no_mail() {
    model(|| {
        let shared = Arc::new((Ending::new(), Blocks::new(2)));
        let freers: Vec<_> = (0..2)
            .map(|mine| {
                let shared = shared.clone();
                thread::spawn(move || shared.0.send(shared.1.chain(&[mine])))
            })
            .collect();
        shared.0.lay_down();
        for freer in freers {
            freer.join().unwrap();
        }
        assert!(shared.0.dead.load(Ordering::SeqCst));
        assert!(shared.0.mailbox.is_empty());
        // SAFETY: all others have ended.
        shared
            .0
            .found
            .with(|found| unsafe { assert_eq!(*found, 2) });
    });
}

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
