//! What callers may rely on, checked block by block.

use crate::backend::buddy;
use crate::base::class::QUANTUM;
use crate::front::alloc::{alloc, alloc_zeroed};
use crate::front::call::Call;
use crate::front::census::Census;
use crate::front::free::{free, usable_size};
use crate::front::realloc::realloc;
use crate::front::{aligned, registry, stats};
use core::ptr::{eq, null_mut};
use core::sync::atomic::Ordering;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// How long threads may take to end.
const PATIENCE: Duration = Duration::from_secs(20);

/// A call from one of a few sites.
fn call(mark: u64) -> Call {
    Call {
        site: mark as usize % 7 + 1,
        ..Call::UNKNOWN
    }
}

/// A block in a test's hands, filled with a pattern to its last usable byte.
pub struct Held {
    pub start: usize,
    /// What was asked for.
    pub size: usize,
    usable: usize,
    pattern: [u8; 8],
}

impl Held {
    /// Takes a fresh block of at least `size` bytes in hand. `None` if it is null.
    fn new(block: *mut u8, size: usize, mark: u64) -> Option<Held> {
        if block.is_null() {
            return None;
        }
        let mut held = Held {
            start: block as usize,
            size,
            usable: 0,
            pattern: [0; 8],
        };
        held.usable = held.ask_usable();
        assert!(
            held.start.is_multiple_of(QUANTUM),
            "{block:?} is not aligned"
        );
        assert!(
            held.usable >= size.max(1),
            "{size} bytes asked, {} got",
            held.usable
        );
        held.fill(mark);
        Some(held)
    }

    pub fn alloc(size: usize, mark: u64) -> Option<Held> {
        Held::new(alloc(size, &call(mark)), size, mark)
    }

    pub fn alloc_zeroed(size: usize, mark: u64) -> Option<Held> {
        let block = alloc_zeroed(size, &call(mark));
        if !block.is_null() {
            // SAFETY: the block is ours and has `size` bytes.
            let bytes = unsafe { core::slice::from_raw_parts(block, size) };
            assert!(repeats(bytes, [0; 8]), "{size} zeroed bytes are not zero");
        }
        Held::new(block, size, mark)
    }

    pub fn alloc_aligned(size: usize, align: usize, mark: u64) -> Option<Held> {
        let grant = aligned::alloc_aligned(size, align, &call(mark));
        if grant.zeroed {
            // SAFETY: as above.
            let bytes = unsafe { core::slice::from_raw_parts(grant.block, size) };
            assert!(
                repeats(bytes, [0; 8]),
                "{size} bytes said to be zero are not"
            );
        }
        assert!(
            (grant.block as usize).is_multiple_of(align),
            "not at a multiple of {align}"
        );
        Held::new(grant.block, size, mark)
    }

    /// The block at another size; its bytes up to the smaller one must stay.
    pub fn realloc(self, size: usize, mark: u64) -> Held {
        self.check();
        // SAFETY: the block is ours.
        let block =
            unsafe { realloc(self.start as *mut u8, size, &call(mark)) }.expect("a block of ours");
        if block.is_null() {
            return self;
        }
        // SAFETY: the new block is ours, and has `size` bytes.
        let bytes = unsafe { core::slice::from_raw_parts(block, size.min(self.usable)) };
        assert!(
            repeats(bytes, self.pattern),
            "realloc from {} to {size} lost bytes",
            self.size
        );
        Held::new(block, size, mark).expect("not null")
    }

    pub fn free(self) {
        self.check();
        // SAFETY: the block is ours, and given up.
        unsafe { free(self.start as *mut u8) };
    }

    /// Looks at the block in full.
    pub fn check(&self) {
        assert_eq!(
            self.ask_usable(),
            self.usable,
            "the usable size has changed"
        );
        // SAFETY: the block is ours.
        let bytes = unsafe { core::slice::from_raw_parts(self.start as *const u8, self.usable) };
        assert!(
            repeats(bytes, self.pattern),
            "a block of {} bytes at {:#x} has changed",
            self.size,
            self.start
        );
    }

    fn ask_usable(&self) -> usize {
        // SAFETY: the block is ours.
        unsafe { usable_size(self.start as *mut u8, "usable_size") }.expect("a block of ours")
    }

    fn fill(&mut self, mark: u64) {
        self.pattern = (mark.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1).to_ne_bytes();
        // SAFETY: the block is ours.
        let bytes = unsafe { core::slice::from_raw_parts_mut(self.start as *mut u8, self.usable) };
        bytes[..8].copy_from_slice(&self.pattern);
        let mut done = 8;
        while done < bytes.len() {
            let part = done.min(bytes.len() - done);
            bytes.copy_within(..part, done);
            done += part;
        }
    }
}

/// Whether `bytes` is the pattern again and again.
fn repeats(bytes: &[u8], pattern: [u8; 8]) -> bool {
    let start = bytes.len().min(8);
    bytes[..start] == pattern[..start] && bytes[..bytes.len() - start] == bytes[start..]
}

/// All blocks in a test's hands, by address: none may overlap another.
#[derive(Default)]
pub struct Shadow {
    blocks: BTreeMap<usize, Held>,
    pub bytes: usize,
}

impl Shadow {
    pub fn add(&mut self, held: Held) {
        let end = held.start + held.usable;
        if let Some((_, before)) = self.blocks.range(..end).next_back() {
            assert!(
                before.start + before.usable <= held.start,
                "{:#x} + {} lies in {:#x} + {}",
                held.start,
                held.usable,
                before.start,
                before.usable
            );
        }
        self.bytes += held.usable;
        self.blocks.insert(held.start, held);
    }

    /// Gives up block number `index`, or another one if there are not as many.
    pub fn take(&mut self, index: usize) -> Option<Held> {
        let index = index % self.blocks.len().max(1);
        let start = *self.blocks.keys().nth(index)?;
        let held = self.blocks.remove(&start)?;
        self.bytes -= held.usable;
        Some(held)
    }

    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    pub fn check(&self) {
        self.blocks.values().for_each(Held::check);
    }

    /// In a process all of whose blocks are in this shadow, and whose threads stand still:
    /// a census must find them, and no others.
    pub fn check_census(&self) {
        let census = Census::take();
        let own = census.large.blocks + census.system.blocks + census.arena.blocks;
        let found = census.used.iter().sum::<usize>() + own;
        assert_eq!(found, self.blocks.len(), "blocks found by a census");
        let bytes = census.used_bytes() + census.system.bytes;
        assert_eq!(bytes, self.bytes, "bytes found by a census");
        assert!(census.used_bytes() + census.kept <= census.held);
        assert!(census.held <= census.most_held + census.most_system.bytes);
    }
}

/// Checks the invariants of the calling thread's heap.
pub fn check_heap() {
    // SAFETY: the heap is the calling thread's, whose `life` it holds.
    unsafe { (*registry::heap()).check() };
}

/// In a process all of whose blocks are free, and whose other threads end: lays the calling
/// thread's heap down, and no memory may be in use.
pub fn nothing_is_left() {
    let heap = registry::heap();
    // A thread that has been joined in a scope may still be on its way out.
    let start = Instant::now();
    while registry::heaps().any(|other| !eq(other, heap) && !other.dead.load(Ordering::SeqCst)) {
        assert!(start.elapsed() < PATIENCE, "a heap is not laid down");
        std::thread::sleep(Duration::from_millis(1));
    }
    check_heap();
    registry::lay_down();
    registry::heaps().for_each(|dead| {
        registry::tidy_dead(null_mut(), dead);
    });
    let f = stats::figures();
    assert_eq!((f.pages, f.spans), (0, 0), "memory is stranded");
    assert_eq!(buddy::hollow(), 0, "holes of no page");
    assert_eq!((f.large_blocks, f.system_blocks), (0, 0));
}
