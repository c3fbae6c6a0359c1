//! Blocks freed into full pages, kept for the next request of their class.
//!
//! In a heap whose pages are all full, a program that replaces its blocks at random would
//! take a page back for each free and let it go for each allocation. A few such blocks
//! per class are kept loose instead: for their page they are still in use. As many are
//! kept as the program takes: a hit doubles the number, an overflow makes it one again,
//! so that a program that only frees leaves at most one per class.
//!
//! The blocks are kept by address, not linked: a block that was freed and is taken again
//! at once need not have come into the caches.
//!
//! Invariants
//! 1. A loose block is of its class, free, and in no list; its page is at home here.
//! 2. `len` ≤ `room` ≤ `ROOM_MAX`; the first `len` slots hold loose blocks.

use crate::base::block::Block;
use core::ptr::null_mut;

const ROOM_MAX: usize = 7;

/// A cache line.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Loose {
    slots: [*mut Block; ROOM_MAX],
    len: u32,
    room: u32,
}

impl Loose {
    pub const NEW: Loose = Loose {
        slots: [null_mut(); ROOM_MAX],
        len: 0,
        room: 1,
    };

    /// Keeps a block. False if there is no room: all must be taken out first.
    #[inline]
    pub fn push(&mut self, block: *mut Block) -> bool {
        if self.len >= self.room {
            self.room = 1;
            return false;
        }
        self.slots[self.len as usize % ROOM_MAX] = block;
        self.len += 1;
        true
    }

    /// Takes a block for use, or null.
    #[inline]
    pub fn pop(&mut self) -> *mut Block {
        let block = self.take();
        if !block.is_null() {
            self.room = (self.room * 2).min(ROOM_MAX as u32);
            // SAFETY: invariant 1; a block in use has no key.
            unsafe { (*block).key = 0 };
        }
        block
    }

    /// Takes a block to be freed into its page, or null.
    #[inline]
    pub fn take(&mut self) -> *mut Block {
        if self.len == 0 {
            return null_mut();
        }
        self.len -= 1;
        self.slots[self.len as usize % ROOM_MAX]
    }

    /// Whether a block is kept here.
    #[cold]
    pub fn holds(&self, block: *mut Block) -> bool {
        self.slots
            .iter()
            .take(self.len as usize)
            .any(|&b| b == block)
    }
}
