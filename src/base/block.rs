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

/// The word of a block where notes begin.
const NOTES: usize = size_of::<Block>() / size_of::<usize>();

/// Asks for the cache line of an address, which need not be one.
#[inline(always)]
pub fn fetch(at: usize) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(at as *const i8);
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: as above.
    unsafe {
        core::arch::asm!("prfm pldl1keep, [{}]", in(reg) at, options(nostack, readonly));
    }
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

    /// Notes in the first block, of `size` bytes, the first blocks of chains that come after it
    /// in a mailbox, as many as there is room for.
    ///
    /// # Safety
    /// The chain is not empty, and the caller's alone.
    pub unsafe fn note(&self, size: usize, after: impl Iterator<Item = *mut Block>) {
        let notes = self.first.cast::<*mut Block>();
        let room = size / size_of::<usize>();
        if room > NOTES {
            let mut at = NOTES;
            // SAFETY: the caller owns the block, and `at` stays below its end.
            unsafe {
                for block in after.take(room - NOTES - 1) {
                    notes.add(at).write(block);
                    at += 1;
                }
                notes.add(at).write(null_mut());
            }
        }
    }

    /// Fetches what `note` noted, so that the walk along the chains does not wait for each.
    ///
    /// # Safety
    /// As `note`, which was called.
    pub unsafe fn follow_notes(&self, size: usize) {
        let notes = self.first.cast::<usize>();
        for at in NOTES..size / size_of::<usize>() {
            // SAFETY: the caller owns the block, in which `at` lies.
            match unsafe { notes.add(at).read() } {
                0 => break,
                block => fetch(block),
            }
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

    /// Whether `block` is in the chain.
    ///
    /// # Safety
    /// The chain's blocks are linked, and nobody changes that.
    pub unsafe fn holds(&self, block: *mut Block) -> bool {
        let mut at = self.first;
        for _ in 0..self.count {
            if at == block {
                return true;
            }
            // SAFETY: a block of the chain; the count ends the walk before the last link.
            at = unsafe { (*at).next };
        }
        false
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
