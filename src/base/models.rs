//! Models of the parts without a lock, for loom: every order of their steps, and every
//! value that a weak memory may show.
//!
//! The mailbox, the tally and the chunk are the real ones. Around them stand the protocols of
//! `front` in miniature: a home with a lock, freers that hold blocks, an owner that ends.
//! Each block carries ink, which its last holder writes and whoever takes it reads: a
//! missing release or acquire is a race on the ink.

mod chunk;
mod heap;
mod page;

use super::block::{Block, Chain};
use super::mailbox::Mailbox;
use core::ptr::null_mut;
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicBool, Ordering};
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

/// A heap whose owner ends: `registry::lay_down` and `registry::receive`.
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
        if self.mailbox.is_empty() {
            return;
        }
        let count = length(self.mailbox.take());
        // SAFETY: the caller has the heap to itself.
        self.found.with_mut(|found| unsafe { *found += count });
    }

    fn receive(&self) {
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
            self.receive();
        }
    }

    /// The mailbox's part of `remote::send`.
    fn send(&self, chain: Chain) {
        // SAFETY: the chain is the caller's.
        unsafe { self.mailbox.push(chain) };
        if self.dead.load(Ordering::SeqCst) {
            self.receive();
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
