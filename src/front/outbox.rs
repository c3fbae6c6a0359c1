//! Remote frees on their way: chained by page, handed over many at a time.
//!
//! Invariants
//! 1. The blocks of a slot's chain are free, of the slot's page, and in no other list.
//! 2. A chain has less than `CHAIN_MAX` blocks and `CHAIN_BYTES` bytes: so much at most
//!    waits in a thread that has gone to sleep.

use crate::base::block::{Block, Chain};
use crate::map::Page;
use core::ptr::null_mut;

const SLOTS: usize = 16;
const CHAIN_MAX: u32 = 64;
const CHAIN_BYTES: u32 = 32 << 10;

#[derive(Clone, Copy)]
struct Slot {
    page: *mut Page,
    chain: Chain,
    /// Blocks that may still be added.
    room: u32,
}

pub struct Outbox {
    slots: [Slot; SLOTS],
    used: u32,
}

/// A chain that is ready to go to its page.
pub struct Parcel {
    pub page: *mut Page,
    pub chain: Chain,
}

impl Outbox {
    pub const NEW: Outbox = Outbox {
        slots: [Slot {
            page: null_mut(),
            chain: Chain::EMPTY,
            room: 0,
        }; SLOTS],
        used: 0,
    };

    /// Adds a block. What comes back must be sent now.
    ///
    /// # Safety
    /// The block is of the slab page `page`, and the caller's alone.
    pub unsafe fn add(&mut self, page: *mut Page, block: *mut Block) -> Option<Parcel> {
        // Headers are 128 bytes apart.
        let slot = &mut self.slots[page as usize / size_of::<Page>() % SLOTS];
        if slot.page != page {
            // SAFETY: the block keeps its page alive.
            let size = unsafe { (*page).block_size() as u32 };
            let room = (CHAIN_BYTES / size).min(CHAIN_MAX);
            if room < 2 {
                return Some(Parcel {
                    page,
                    chain: Chain::of(block),
                });
            }
            let ready = slot.take();
            *slot = Slot {
                page,
                chain: Chain::of(block),
                room: room - 1,
            };
            self.used += 1 - u32::from(ready.is_some());
            return ready;
        }
        // SAFETY: the block is the caller's.
        unsafe { slot.chain.push(block) };
        slot.room -= 1;
        if slot.room == 0 {
            self.used -= 1;
            return slot.take();
        }
        None
    }

    /// Adds a block to its page's chain, if that is begun and may grow by more than one.
    /// False if not, or if the block looks freed: `add` has not been asked then.
    ///
    /// # Safety
    /// As `add`.
    #[inline(always)]
    pub unsafe fn add_more(&mut self, page: *mut Page, block: *mut Block) -> bool {
        let slot = &mut self.slots[page as usize / size_of::<Page>() % SLOTS];
        if slot.page != page || slot.room < 2 {
            return false;
        }
        // SAFETY: the chain keeps its page; the block is the caller's, and written last.
        unsafe {
            if (*block).key == page as usize {
                return false;
            }
            (*block).key = page as usize;
            (*block).next = slot.chain.first;
        }
        slot.chain.first = block;
        slot.chain.count += 1;
        slot.room -= 1;
        true
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.used == 0
    }

    /// Takes one chain out, if there is any.
    pub fn take(&mut self) -> Option<Parcel> {
        if self.used == 0 {
            return None;
        }
        self.used -= 1;
        self.slots.iter_mut().find_map(Slot::take)
    }

    /// Shows `see` the first block and the length of each chain, while the outbox may be in
    /// use: what it shows may be out of date, and of two times.
    ///
    /// # Safety
    /// The outbox is in memory that stays.
    pub unsafe fn glance(outbox: *const Outbox, mut see: impl FnMut(*mut Page, *mut Block, u32)) {
        for slot in 0..SLOTS {
            // SAFETY: any bits make a slot.
            let slot = unsafe { (&raw const (*outbox).slots[slot]).read_volatile() };
            if !slot.page.is_null() && !slot.chain.is_empty() {
                see(slot.page, slot.chain.first, slot.chain.count);
            }
        }
    }

    /// Whether a block of `page` waits here.
    #[cold]
    pub fn holds(&self, page: *mut Page, block: *mut Block) -> bool {
        let slot = &self.slots[page as usize / size_of::<Page>() % SLOTS];
        let mut at = slot.chain.first;
        for _ in 0..if slot.page == page {
            slot.chain.count
        } else {
            0
        } {
            if at == block {
                return true;
            }
            // SAFETY: invariant 1; the count ends the walk before the last link.
            at = unsafe { (*at).next };
        }
        false
    }
}

impl Slot {
    fn take(&mut self) -> Option<Parcel> {
        let page = core::mem::replace(&mut self.page, null_mut());
        let chain = core::mem::replace(&mut self.chain, Chain::EMPTY);
        (!page.is_null()).then_some(Parcel { page, chain })
    }
}
