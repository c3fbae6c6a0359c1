//! A free block: what the allocator writes into memory that nobody holds.

use core::ptr::null_mut;

/// The first 16 bytes of a block that is free.
///
/// `next` links it into a list. `key` is the address of the page it belongs to: a
/// block whose second word still holds that key when it is freed has probably been
/// freed before. A block in use has had its key cleared.
#[repr(C)]
pub struct Block {
    pub next: *mut Block,
    pub key: usize,
}

/// A chain of blocks, linked by `next`; the link of `last` is undefined.
#[derive(Clone, Copy)]
pub struct Chain {
    pub first: *mut Block,
    pub last: *mut Block,
    pub count: u32,
}

impl Chain {
    pub const EMPTY: Chain = Chain {
        first: null_mut(),
        last: null_mut(),
        count: 0,
    };

    /// A chain of one.
    pub fn of(block: *mut Block) -> Chain {
        Chain {
            first: block,
            last: block,
            count: 1,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Puts `block` in front.
    ///
    /// # Safety
    /// `block` is free, writable for 16 bytes, and the caller's alone.
    pub unsafe fn push(&mut self, block: *mut Block) {
        if self.is_empty() {
            *self = Chain::of(block);
        } else {
            // SAFETY: the caller owns the block.
            unsafe { (*block).next = self.first };
            self.first = block;
            self.count += 1;
        }
    }
}
