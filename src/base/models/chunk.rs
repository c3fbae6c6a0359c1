//! An arena chunk that others free into, and its holder.

use super::model;
use crate::base::chunk::{Chunk, Freed, Place};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicUsize, Ordering};
use loom::thread;
use std::vec::Vec;

struct Held {
    chunk: Chunk,
    /// What the users of each block write, and whoever gets the chunk reads.
    ink: Vec<UnsafeCell<u32>>,
    claimed: AtomicUsize,
}

// SAFETY: a block's ink is its holder's, until the chunk is somebody's alone.
unsafe impl Sync for Held {}
// SAFETY: as above.
unsafe impl Send for Held {}

impl Held {
    /// A chunk with `blocks` blocks of two grains.
    fn new(blocks: usize) -> Held {
        let chunk = Chunk::new();
        chunk.open(true);
        for block in 0..blocks {
            assert_eq!(chunk.bump(2), Some((2 * block, true)));
        }
        Held {
            chunk,
            ink: (0..blocks).map(|_| UnsafeCell::new(0)).collect(),
            claimed: AtomicUsize::new(0),
        }
    }

    fn free(&self, block: usize) {
        // SAFETY: the block is the calling thread's.
        self.ink[block].with_mut(|ink| unsafe { *ink += 1 });
        match self.chunk.free(2 * block) {
            Freed::Fine => {}
            Freed::Last => self.claim(),
            Freed::Nothing => panic!("a block in use was taken for a free one"),
        }
    }

    /// The caller has the chunk to itself.
    fn claim(&self) {
        for ink in &self.ink {
            // SAFETY: no block is in use.
            ink.with_mut(|ink| unsafe {
                assert_eq!(*ink, 1);
                *ink = 0;
            });
        }
        self.claimed.fetch_add(1, Ordering::Relaxed);
        self.chunk.begin();
    }
}

/// Threads free the blocks of `freers`, the holder those of `own` and lets the chunk go.
fn let_go(freers: &'static [&'static [usize]], own: &'static [usize]) {
    model(move || {
        let blocks = freers.iter().map(|blocks| blocks.len()).sum::<usize>() + own.len();
        let held = Arc::new(Held::new(blocks));
        let threads: Vec<_> = freers
            .iter()
            .map(|blocks| {
                let held = held.clone();
                thread::spawn(move || blocks.iter().for_each(|&block| held.free(block)))
            })
            .collect();
        own.iter().for_each(|&block| held.free(block));
        if held.chunk.let_go() {
            held.claim();
        }
        for thread in threads {
            thread.join().unwrap();
        }
        assert_eq!(held.claimed.load(Ordering::Relaxed), 1);
    });
}

#[test]
fn one_of_two_freers_or_the_holder_claims_a_chunk() {
    let_go(&[&[0], &[1]], &[]);
}

#[test]
fn the_holder_frees_beside_others() {
    let_go(&[&[0, 1]], &[2]);
}

#[test]
fn a_holder_begins_a_chunk_anew_that_others_emptied() {
    model(|| {
        let held = Arc::new(Held::new(2));
        let freer = {
            let held = held.clone();
            thread::spawn(move || held.free(0))
        };
        held.free(1);
        if held.chunk.is_empty() {
            held.claim();
            assert_eq!(held.chunk.bump(1), Some((0, false)));
            assert_eq!(held.chunk.free(0), Freed::Fine);
        }
        freer.join().unwrap();
        assert!(held.chunk.is_empty() && held.chunk.let_go());
    });
}

#[test]
fn a_block_keeps_its_size_while_the_holder_bumps() {
    model(|| {
        let held = Arc::new(Held::new(1));
        let user = {
            let held = held.clone();
            thread::spawn(move || {
                assert_eq!(held.chunk.look(0, true), Place::Used { size: 2 });
                assert_eq!(
                    held.chunk.look(1, true),
                    Place::Inside { start: 0, size: 2 }
                );
            })
        };
        held.chunk.bump(3);
        held.chunk.bump(1);
        user.join().unwrap();
    });
}

#[test]
fn of_two_frees_of_one_block_one_is_told() {
    model(|| {
        let held = Arc::new(Held::new(2));
        let free = |held: &Held| usize::from(held.chunk.free(0) == Freed::Nothing);
        let other = {
            let held = held.clone();
            thread::spawn(move || free(&held))
        };
        let told = free(&held);
        assert_eq!(told + other.join().unwrap(), 1);
        assert!(!held.chunk.let_go());
        assert_eq!(held.chunk.free(2), Freed::Last);
    });
}
