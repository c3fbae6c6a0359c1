//! Blocks freed into full pages, kept for the next request of their class.
//!
//! In a heap whose pages are all full, a program that replaces its blocks at random would
//! take a page back for each free and let it go for each allocation. A few such blocks
//! per class are kept loose instead: for their page they are still in use. As many are
//! kept as the program takes: a hit doubles the number, an overflow makes it one again,
//! so that a program that only frees leaves at most one per class.
//!
//! Invariants
//! 1. A loose block is of its class, free, and in no other list; its page is at home here.
//! 2. `len` ≤ `room` ≤ `ROOM_MAX`.

use crate::base::block::Block;
use core::ptr::null_mut;

const ROOM_MAX: u32 = 8;

#[derive(Clone, Copy)]
pub struct Loose {
    first: *mut Block,
    len: u32,
    room: u32,
}

impl Loose {
    pub const NEW: Loose = Loose {
        first: null_mut(),
        len: 0,
        room: 1,
    };

    /// Keeps a block. False if there is no room: all must be taken out first.
    ///
    /// # Safety
    /// The block is free and the caller's alone.
    #[inline]
    pub unsafe fn push(&mut self, block: *mut Block) -> bool {
        if self.len >= self.room {
            self.room = 1;
            return false;
        }
        // SAFETY: the block is the caller's.
        unsafe { (*block).next = self.first };
        self.first = block;
        self.len += 1;
        true
    }

    /// Takes a block for use, or null.
    #[inline]
    pub fn pop(&mut self) -> *mut Block {
        let block = self.take();
        if !block.is_null() {
            self.room = (self.room * 2).min(ROOM_MAX);
            // SAFETY: invariant 1; a block in use has no key.
            unsafe { (*block).key = 0 };
        }
        block
    }

    /// Takes a block to be freed into its page, or null.
    pub fn take(&mut self) -> *mut Block {
        let block = self.first;
        if !block.is_null() {
            // SAFETY: invariant 1.
            self.first = unsafe { (*block).next };
            self.len -= 1;
        }
        block
    }

    /// Whether a block is kept here.
    #[cold]
    pub fn holds(&self, block: *mut Block) -> bool {
        let mut at = self.first;
        for _ in 0..self.len {
            if at == block {
                return true;
            }
            // SAFETY: invariant 1.
            at = unsafe { (*at).next };
        }
        false
    }
}
