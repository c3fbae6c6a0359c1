//! A free block: what the allocator writes into memory that nobody holds.

use core::ptr::null_mut;

/// The first 16 bytes of a block that is free.
///
/// `next` links it into a list. `key` is the address of the page it belongs to: a
/// block whose second word still holds that key when it is freed has probably been
/// freed before. A block in use has had its key cleared. In a mailbox the first block of a
/// longer chain has a seal in place of its key: see `Chain::seal`.
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

const SEAL_SHIFT: u32 = 48;

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

    /// Writes the last block and the count in place of the first block's key: who finds
    /// the first block in a mailbox has the whole chain without walking through memory
    /// that another processor's cache holds. A chain of one keeps its key.
    ///
    /// # Safety
    /// The chain is not empty, the caller's alone, and lies below 2^48.
    pub unsafe fn seal(&self) {
        if self.count > 1 {
            let seal = self.last as usize | (self.count as usize) << SEAL_SHIFT;
            // SAFETY: the caller owns the blocks.
            unsafe { (*self.first).key = seal };
        }
    }

    /// The chain that was sealed in `first`, whose key is `key` again.
    ///
    /// # Safety
    /// The block is the caller's.
    pub unsafe fn sealed(first: *mut Block, key: usize) -> Chain {
        // SAFETY: the caller owns the block.
        let seal = unsafe { core::mem::replace(&mut (*first).key, key) };
        Chain::opened(first, key, seal)
    }

    /// The chain that is sealed in `first`, and stays so.
    ///
    /// # Safety
    /// The block waits in a mailbox that nobody takes from meanwhile.
    pub unsafe fn waiting(first: *mut Block, key: usize) -> Chain {
        // SAFETY: nobody writes to the block.
        Chain::opened(first, key, unsafe { (*first).key })
    }

    /// The chain from `first` by the word that stands in place of its key.
    fn opened(first: *mut Block, key: usize, seal: usize) -> Chain {
        if seal == key {
            return Chain::of(first);
        }
        Chain {
            first,
            last: (seal & ((1 << SEAL_SHIFT) - 1)) as *mut Block,
            count: (seal >> SEAL_SHIFT) as u32,
        }
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
