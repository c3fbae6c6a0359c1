//! The word of a page on which threads that are not its owner agree.
//!
//! While a heap allocates from a page the word is `OWNED`, and a remote free goes to
//! that heap's mailbox. A page with no free block left is let go: its word becomes
//! *full*, and each free pushes its chain on the word itself, with a count of the
//! blocks beside the head. Then two ways lead on: the home heap takes the page back
//! with all that was freed, or the freer whose count reaches the number of blocks
//! claims the page, which is then wholly free. Both make the word `OWNED` again by
//! one atomic, so exactly one of them gets the page.
//!
//! Layout: bit 0 full; bits 1–15 count; bits 16–63 address of the first block.
//!
//! Invariants
//! 1. `OWNED` is all zero.
//! 2. In a full word, count is the length of the chain from head, and is less than
//!    the page's number of blocks.
//! 3. Only the owner turns `OWNED` into full; only `reclaim` and `claim` turn it back.

use super::atomic::{AtomicU64, Ordering};
use super::block::{Block, Chain};

const FULL: u64 = 1;
const COUNT_SHIFT: u32 = 1;
const COUNT_MASK: u64 = 0x7fff;
const HEAD_SHIFT: u32 = 16;

/// The most blocks a page can have for its count to fit.
pub const MAX_BLOCKS: u32 = COUNT_MASK as u32;

/// One value of the word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Word(u64);

impl Word {
    pub const OWNED: Word = Word(0);

    fn full(head: *mut Block, count: u32) -> Word {
        debug_assert!(u64::from(count) <= COUNT_MASK);
        Word((head as u64) << HEAD_SHIFT | u64::from(count) << COUNT_SHIFT | FULL)
    }

    pub fn is_full(self) -> bool {
        self.0 & FULL != 0
    }

    /// Blocks that were freed into the page since it became full.
    pub fn count(self) -> u32 {
        (self.0 >> COUNT_SHIFT & COUNT_MASK) as u32
    }

    /// The first of them, or null.
    pub fn head(self) -> *mut Block {
        (self.0 >> HEAD_SHIFT) as *mut Block
    }
}

pub struct Tally(AtomicU64);

impl Tally {
    #[cfg(not(loom))]
    pub const fn new() -> Self {
        Tally(AtomicU64::new(0))
    }

    #[cfg(loom)]
    pub fn new() -> Self {
        Tally(AtomicU64::new(0))
    }

    pub fn load(&self) -> Word {
        // Acquire pairs with the release in `let_go`: who sees a full page also
        // sees its home.
        Word(self.0.load(Ordering::Acquire))
    }

    /// The owner lets a page go that has no free block left.
    pub fn let_go(&self) {
        self.0
            .store(Word::full(core::ptr::null_mut(), 0).0, Ordering::Release);
    }

    /// Adds a chain to a full page. Fails with what stands there now.
    ///
    /// # Safety
    /// `seen` is full; the chain is the caller's alone and of this page.
    pub unsafe fn push(&self, seen: Word, chain: Chain) -> Result<(), Word> {
        debug_assert!(seen.is_full());
        // SAFETY: the chain is ours until the exchange succeeds.
        unsafe { (*chain.last).next = seen.head() };
        let word = Word::full(chain.first, seen.count() + chain.count);
        self.0
            // Release: `reclaim` and `claim` see the links of the chain.
            .compare_exchange(seen.0, word.0, Ordering::AcqRel, Ordering::Acquire)
            .map(|_| ())
            .map_err(Word)
    }

    /// Makes a page `OWNED` whose last blocks the caller holds. Fails with what
    /// stands there now. Who succeeds has the page to itself.
    pub fn claim(&self, seen: Word) -> Result<(), Word> {
        debug_assert!(seen.is_full());
        self.0
            // Acquire: the writes of all who freed happened before the page is reused.
            .compare_exchange(seen.0, Word::OWNED.0, Ordering::AcqRel, Ordering::Acquire)
            .map(|_| ())
            .map_err(Word)
    }

    /// Takes a full page back with what was freed into it.
    pub fn reclaim(&self) -> Word {
        Word(self.0.swap(Word::OWNED.0, Ordering::AcqRel))
    }
}
