//! Where remote frees wait for the owner of a heap: many push chains, one takes all.
//!
//! A stack of blocks after R. K. Treiber (IBM RJ 5118, 1986). Nobody pops a single
//! block, so a head that was taken and came back does no harm (no ABA).
//!
//! Invariants
//! 1. The chains from `head` are sealed, linked by their last blocks, end in null, and
//!    hold only free blocks.
//! 2. A block is in at most one mailbox, and then in no other list.

use super::atomic::{AtomicPtr, Ordering};
use super::block::{Block, Chain};
use core::ptr::null_mut;

pub struct Mailbox {
    head: AtomicPtr<Block>,
}

impl Mailbox {
    #[cfg(not(loom))]
    pub const fn new() -> Self {
        Mailbox {
            head: AtomicPtr::new(null_mut()),
        }
    }

    #[cfg(loom)]
    pub fn new() -> Self {
        Mailbox {
            head: AtomicPtr::new(null_mut()),
        }
    }

    /// Whether nothing waits. May be out of date at once.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.head.load(Ordering::Relaxed).is_null()
    }

    /// Whether nothing waits, in one order with all pushes: for a dying owner's last look.
    pub fn is_empty_for_good(&self) -> bool {
        self.head.load(Ordering::SeqCst).is_null()
    }

    /// The first block of what waits, or null: for a look at the chains by who keeps others
    /// from taking them.
    pub fn first(&self) -> *mut Block {
        // Acquire pairs with the exchange in `push`: the links are visible.
        self.head.load(Ordering::Acquire)
    }

    /// Hands a chain over. Any thread.
    ///
    /// # Safety
    /// The chain is not empty and the caller's alone; from now on it is the owner's.
    pub unsafe fn push(&self, chain: Chain) {
        let mut head = self.head.load(Ordering::Relaxed);
        loop {
            // SAFETY: the chain is ours until the exchange succeeds.
            unsafe { (*chain.last).next = head };
            // SeqCst, as the pusher's look at the owner's flag after it, and the owner's
            // flag and last look: either the pusher sees the flag or the owner the chain.
            match self.head.compare_exchange_weak(
                head,
                chain.first,
                Ordering::SeqCst,
                Ordering::Relaxed,
            ) {
                Ok(_) => return,
                Err(now) => head = now,
            }
        }
    }

    /// Takes all that waits, ending in null. The owner, or who holds its heap's lock.
    pub fn take(&self) -> *mut Block {
        // Acquire pairs with the exchange in `push`: the links are visible.
        self.head.swap(null_mut(), Ordering::SeqCst)
    }
}
