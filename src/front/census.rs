//! A count of all blocks, in use and free, made while the program goes on.
//!
//! Nobody counts blocks on the fast path. The census goes through all pages instead, by
//! the page map, since full pages are in no list. Each backend is held meanwhile, so that
//! no header goes; but the counts in the headers change under its eyes. So a census is
//! exact only of what stands still, and nothing that it reads leads it astray.

use super::outbox::Outbox;
use super::registry;
use crate::backend::arena;
use crate::backend::buddy::{self, Use};
use crate::backend::slab::holes;
use crate::backend::system;
use crate::base::atomic::Ordering;
use crate::base::block::{Block, Chain};
use crate::base::class::{self, CLASSES};
use crate::map::{self, Kind, Page};
use crate::sys::auxv::os_page;

/// Blocks of one kind, and their bytes.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Count {
    pub blocks: usize,
    pub bytes: usize,
}

impl Count {
    fn add(&mut self, blocks: usize, size: usize) {
        self.blocks += blocks;
        self.bytes += blocks * size;
    }
}

/// What was found. All figures in bytes or counts.
pub struct Census {
    /// Blocks in callers' hands, by class.
    pub used: [usize; CLASSES],
    /// Free blocks that have been in use or are about to be, by class.
    pub free: [usize; CLASSES],
    /// Blocks of chunks that are in callers' hands.
    pub arena: Count,
    /// Free blocks between these, which wait for their chunk.
    arena_free: usize,
    /// Blocks with a span of their own that are in callers' hands.
    pub large: Count,
    /// Blocks with a mapping of their own that are in callers' hands.
    pub system: Count,
    /// The most of these that there ever were.
    pub most_system: Count,
    /// Held for all other blocks.
    pub held: usize,
    /// The most that was ever held for them.
    pub most_held: usize,
    /// The part of `held` that no page and no block has.
    pub kept: usize,
    /// Holes in pages, which are not held.
    holes: usize,
}

impl Census {
    pub fn take() -> Census {
        let mut census = Census {
            used: [0; CLASSES],
            free: [0; CLASSES],
            arena: Count::default(),
            arena_free: 0,
            large: Count::default(),
            system: Count::default(),
            most_system: Count::default(),
            held: 0,
            most_held: 0,
            kept: 0,
            holes: 0,
        };
        for used in [Use::Small, Use::Large] {
            let buddy = buddy::hold(used);
            // SAFETY: the buddy is held.
            buddy.visit(|page| unsafe { census.count(page) });
            let budget = buddy.budget();
            census.held += budget.in_use + budget.dirty;
            census.most_held += budget.most;
            census.kept += budget.dirty;
            if used == Use::Small {
                // What waits in an outbox is of small pages, which are held.
                census.count_outboxes();
            }
        }
        census.held -= census.holes.min(census.held);
        census.count_mailboxes();
        let (mapped, blocks, kept) = system::sizes();
        census.system.blocks = blocks;
        census.system.bytes = mapped - kept;
        census.held += kept;
        census.kept += kept;
        (census.most_system.blocks, census.most_system.bytes) = system::most();
        census
    }

    /// Bytes in the blocks in callers' hands that have no mapping of their own.
    pub fn used_bytes(&self) -> usize {
        let small = self.used.iter().enumerate();
        self.large.bytes
            + self.arena.bytes
            + small.map(|(c, n)| n * class::size_of(c)).sum::<usize>()
    }

    /// Free blocks that have been in use or are about to be.
    pub fn count_free(&self) -> usize {
        self.arena_free + self.free.iter().sum::<usize>()
    }

    /// Bytes held and in no caller's hands.
    pub fn free_bytes(&self) -> usize {
        self.held.saturating_sub(self.used_bytes())
    }

    /// Counts the blocks of a page.
    ///
    /// # Safety
    /// The header stays.
    unsafe fn count(&mut self, page: *mut Page) {
        // SAFETY: the header stays; what its owner writes meanwhile is read as it is.
        unsafe {
            let kind = (&raw const (*page).kind).read_volatile();
            if kind == Kind::Large && !(&raw const (*page).kept).read_volatile() {
                self.large.add(1, (&raw const (*page).size).read_volatile());
            }
            if kind == Kind::Arena {
                let (blocks, bytes, free) = arena::count(page);
                self.arena.blocks += blocks;
                self.arena.bytes += bytes;
                self.arena_free += free;
                return;
            }
            let class = usize::from((&raw const (*page).class).read_volatile());
            if !kind.has_equal_blocks() || class >= CLASSES {
                return;
            }
            let capacity = (&raw const (*page).capacity).read_volatile();
            let carved = capacity.saturating_sub((&raw const (*page).uncarved).read_volatile());
            let word = (*page).tally.load();
            let used = if word.is_full() {
                capacity.saturating_sub(word.count())
            } else {
                let bias = i32::from((&raw const (*page).bias).read_volatile());
                let used = (&raw const (*page).used).read_volatile() as i32;
                let out = used.wrapping_sub(bias);
                u32::try_from(out).unwrap_or(0).min(carved)
            };
            self.used[class] += used as usize;
            let in_holes = holes::count(page);
            self.free[class] += carved.saturating_sub(used).saturating_sub(in_holes) as usize;
            let holes = (*page).holes.load(Ordering::Relaxed).count_ones() as usize;
            self.holes += holes * os_page();
        }
    }

    /// Takes blocks that were counted as used for what they are: free, and on their way.
    ///
    /// # Safety
    /// The header stays.
    unsafe fn free_blocks(&mut self, page: *mut Page, count: u32) {
        // SAFETY: as the caller says.
        let (kind, class) = unsafe {
            (
                (&raw const (*page).kind).read_volatile(),
                usize::from((&raw const (*page).class).read_volatile()),
            )
        };
        if kind == Kind::Slab && class < CLASSES {
            let count = self.used[class].min(count as usize);
            self.used[class] -= count;
            self.free[class] += count;
        }
    }

    /// What waits in the outboxes is free. Small spans are held.
    fn count_outboxes(&mut self) {
        for heap in registry::heaps() {
            // SAFETY: heaps stay. A chain keeps its page in use, and a page in use stays
            // while small spans are held; what is out of date is no longer in the map.
            unsafe {
                Outbox::glance(heap.outbox.get(), |page, first, count| {
                    if map::lookup(first as usize) == page {
                        self.free_blocks(page, count);
                    }
                });
            }
        }
    }

    /// What waits in the mailboxes is free.
    fn count_mailboxes(&mut self) {
        for heap in registry::heaps() {
            // Who takes the mail holds this.
            let _lists = heap.lists.lock();
            let mut block: *mut Block = heap.mailbox.first();
            while !block.is_null() {
                let page = map::lookup(block as usize);
                // SAFETY: what waits stays, and so does its page.
                unsafe {
                    let chain = Chain::waiting(block, page as usize);
                    if page.is_null() || map::lookup(chain.last as usize) != page {
                        break;
                    }
                    self.free_blocks(page, chain.count);
                    block = (*chain.last).next;
                }
            }
        }
    }
}
