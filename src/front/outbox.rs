//! Remote frees on their way: chained by page, handed over many at a time.
//!
//! Invariants
//! 1. The blocks of a slot's chain are free, of the slot's page, and in no other list.
//! 2. A slot's chain has less than `CHAIN_MAX` blocks and `CHAIN_BYTES` bytes, one that waits
//!    at most `SHORT_BYTES`: so much at most lies in a thread that has gone to sleep.

use crate::base::block::{Block, Chain};
use crate::map::Page;
use core::ptr::null_mut;

const SLOTS: usize = 16;
const CHAIN_MAX: u32 = 64;
const CHAIN_BYTES: u32 = 32 << 10;
/// Chains that had to leave their slot early wait for others that have the same way.
const WAITING: usize = 16;
const SHORT_BYTES: usize = 4 << 10;
/// Chains in an outbox at most.
pub const PARCELS: usize = SLOTS + WAITING;

#[derive(Clone, Copy)]
struct Slot {
    page: *mut Page,
    chain: Chain,
    /// Blocks that may still be added.
    room: u32,
}

pub struct Outbox {
    slots: [Slot; SLOTS],
    waiting: [Parcel; WAITING],
    /// Chains in all, and those that wait.
    used: u32,
    waits: u32,
}

/// A chain that is ready to go to its page.
#[derive(Clone, Copy)]
pub struct Parcel {
    pub page: *mut Page,
    pub chain: Chain,
}

impl Parcel {
    pub const NONE: Parcel = Parcel {
        page: null_mut(),
        chain: Chain::EMPTY,
    };
}

impl Outbox {
    pub const NEW: Outbox = Outbox {
        slots: [Slot {
            page: null_mut(),
            chain: Chain::EMPTY,
            room: 0,
        }; SLOTS],
        waiting: [Parcel::NONE; WAITING],
        used: 0,
        waits: 0,
    };

    /// Adds a block. What comes back must be sent now, and everything if it `is_crowded`.
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
            // SAFETY: a chain keeps its page alive.
            return ready.and_then(|parcel| unsafe { self.put_off(parcel) });
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

    /// Lets a short chain wait for others; a longer one comes back.
    unsafe fn put_off(&mut self, parcel: Parcel) -> Option<Parcel> {
        // SAFETY: the chain keeps its page alive.
        let bytes = unsafe { (*parcel.page).block_size() } * parcel.chain.count as usize;
        if bytes > SHORT_BYTES || self.is_crowded() {
            return Some(parcel);
        }
        self.waiting[self.waits as usize] = parcel;
        self.waits += 1;
        self.used += 1;
        None
    }

    /// Whether no more chains may wait.
    pub fn is_crowded(&self) -> bool {
        self.waits as usize == WAITING
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

    /// Takes all chains out. Returns how many.
    pub fn take(&mut self, into: &mut [Parcel; PARCELS]) -> usize {
        let mut count = self.waits as usize;
        into[..count].copy_from_slice(&self.waiting[..count]);
        let in_slots = self.used > self.waits;
        self.waits = 0;
        self.used = 0;
        if in_slots {
            for parcel in self.slots.iter_mut().filter_map(Slot::take) {
                into[count] = parcel;
                count += 1;
            }
        }
        count
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
        for at in 0..WAITING {
            // SAFETY: as above.
            let (waits, parcel) = unsafe {
                (
                    (&raw const (*outbox).waits).read_volatile(),
                    (&raw const (*outbox).waiting[at]).read_volatile(),
                )
            };
            if at < waits as usize {
                see(parcel.page, parcel.chain.first, parcel.chain.count);
            }
        }
    }

    /// Whether a block of `page` waits here.
    #[cold]
    pub fn holds(&self, page: *mut Page, block: *mut Block) -> bool {
        let slot = &self.slots[page as usize / size_of::<Page>() % SLOTS];
        let waiting = &self.waiting[..self.waits as usize];
        let chains = waiting.iter().map(|parcel| (parcel.page, parcel.chain));
        chains
            .chain([(slot.page, slot.chain)])
            .filter(|&(of, _)| of == page)
            // SAFETY: invariant 1.
            .any(|(_, chain)| unsafe { chain.holds(block) })
    }
}

impl Slot {
    fn take(&mut self) -> Option<Parcel> {
        let page = core::mem::replace(&mut self.page, null_mut());
        let chain = core::mem::replace(&mut self.chain, Chain::EMPTY);
        (!page.is_null()).then_some(Parcel { page, chain })
    }
}
