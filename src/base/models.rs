//! Models of the parts without a lock, for loom: every order of their steps, and every
//! value that a weak memory may show.
//!
//! The mailbox and the tally are the real ones. Around them stand the protocols of
//! `front` in miniature: a home with a lock, freers that hold blocks, an owner that ends.
//! Each block carries ink, which its last holder writes and whoever takes it reads: a
//! missing release or acquire is a race on the ink.

use super::block::{Block, Chain};
use super::mailbox::Mailbox;
use super::tally::{Tally, Word};
use core::ptr::null_mut;
use loom::cell::UnsafeCell;
use loom::sync::atomic::{AtomicBool, AtomicUsize, Ordering, fence};
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
struct Blocks(Vec<UnsafeCell<Inked>>);

// SAFETY: the models hand each block from one holder to the next.
unsafe impl Send for Blocks {}
// SAFETY: as above.
unsafe impl Sync for Blocks {}

impl Blocks {
    fn new(count: usize) -> Blocks {
        Blocks(
            (0..count)
                .map(|_| {
                    UnsafeCell::new(Inked {
                        block: Block {
                            next: null_mut(),
                            key: 0,
                        },
                        ink: UnsafeCell::new(0),
                    })
                })
                .collect(),
        )
    }

    /// Block `index`, written by the calling thread, which frees it.
    fn freed(&self, index: usize) -> *mut Block {
        // The cell is only the block's place; races are looked for on the ink.
        let inked = self.0[index].get().with(|at| at).cast_mut();
        // SAFETY: the block is the calling thread's.
        unsafe { (*inked).ink.with_mut(|ink| *ink += 1) };
        inked.cast()
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
