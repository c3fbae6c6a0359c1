//! The record of an arena chunk: which blocks were bumped off it, which of those have been
//! freed, and who gets the chunk once all have.
//!
//! The chunk's memory lies elsewhere, so that nothing a program writes past the end of a
//! block can reach the record; places in it are counted in grains of 16 bytes. One thread
//! *holds* the chunk: it bumps, and makes the last block longer or shorter. Any thread frees.
//! A block reaches to the next start or to the top, and keeps its start when it is freed, so
//! that the block in front of it keeps its size.
//!
//! Invariants
//! 1. A bit of `starts` stands where a block was bumped since the chunk was begun, below
//!    `top`. The holder writes it before `top`: who reads `top` first finds every start
//!    below it.
//! 2. A bit of `freed` is set only where one of `starts` is. One free sets it; any other
//!    finds it set.
//! 3. While the chunk is held, `count` is `HELD` less the frees that are done, and never 0.
//!    Once it is let go, `count` is `made` less those. Exactly one step makes it 0, the last
//!    free or `let_go`: who takes that step has the chunk to itself.
//! 4. What lies from `clean` on reads as zero, and was given to nobody.

use super::atomic::{AtomicU64, Ordering};

/// Bytes in a grain.
pub const GRAIN: usize = 16;
/// Grains in a chunk.
pub const GRAINS: usize = WORDS * 64;
/// A model looks at few blocks.
const WORDS: usize = if cfg!(loom) { 1 } else { 64 };
/// More than there are blocks in a chunk.
const HELD: u64 = 1 << 32;

/// All zeroes is a chunk that was never begun.
#[repr(C)]
pub struct Chunk {
    /// Written at each free.
    count: AtomicU64,
    /// Blocks bumped since the chunk was begun. The holder's, as are the next two.
    made: AtomicU64,
    /// Where the next block starts.
    top: AtomicU64,
    clean: AtomicU64,
    starts: [AtomicU64; WORDS],
    freed: [AtomicU64; WORDS],
}

/// What a free has done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Freed {
    /// The block is free; the chunk may be gone.
    Fine,
    /// The block was the last of a chunk that nobody holds: it is the caller's alone.
    Last,
    /// Nothing: no block in use starts there.
    Nothing,
}

/// What lies at a place. Sizes are in grains.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Used { size: usize },
    Freed { size: usize },
    Inside { start: usize, size: usize },
    Nothing,
}

/// The word of a bitmap with the bit for place `at`, and the bit.
fn bit(at: usize) -> (usize, u64) {
    (at / 64, 1 << (at % 64))
}

impl Chunk {
    /// A chunk that was never begun.
    #[cfg(test)]
    pub fn new() -> Chunk {
        let words = || core::array::from_fn(|_| AtomicU64::new(0));
        Chunk {
            count: AtomicU64::new(0),
            made: AtomicU64::new(0),
            top: AtomicU64::new(0),
            clean: AtomicU64::new(0),
            starts: words(),
            freed: words(),
        }
    }

    /// Gives the chunk to its first holder. `zeroed` says whether all of it reads as zero.
    pub fn open(&self, zeroed: bool) {
        let clean = if zeroed { 0 } else { GRAINS as u64 };
        self.top.store(GRAINS as u64, Ordering::Relaxed);
        self.clean.store(clean, Ordering::Relaxed);
        self.begin();
    }

    /// Begins the chunk anew, held. The caller has it to itself, and it has no block in use.
    pub fn begin(&self) {
        let words = (self.top.load(Ordering::Relaxed) as usize).div_ceil(64);
        for word in 0..words {
            self.starts[word].store(0, Ordering::Relaxed);
            self.freed[word].store(0, Ordering::Relaxed);
        }
        self.top.store(0, Ordering::Relaxed);
        self.made.store(0, Ordering::Relaxed);
        self.count.store(HELD, Ordering::Relaxed);
    }

    /// Bumps a block of `size` grains, at least one. Also says whether it reads as zero.
    /// None if there is no room. The holder.
    #[inline]
    pub fn bump(&self, size: usize) -> Option<(usize, bool)> {
        let at = self.top.load(Ordering::Relaxed) as usize;
        if at + size > GRAINS {
            return None;
        }
        let (word, bit) = bit(at);
        // Nobody else writes.
        let starts = self.starts[word].load(Ordering::Relaxed) | bit;
        self.starts[word].store(starts, Ordering::Relaxed);
        let made = self.made.load(Ordering::Relaxed) + 1;
        self.made.store(made, Ordering::Relaxed);
        Some((at, self.set_top(at, at + size)))
    }

    /// Moves the top. Says whether all from `from` on, below the new top, reads as zero.
    #[inline]
    fn set_top(&self, from: usize, top: usize) -> bool {
        // Release: the start first, see invariant 1.
        self.top.store(top as u64, Ordering::Release);
        let clean = self.clean.load(Ordering::Relaxed);
        if top as u64 > clean {
            self.clean.store(top as u64, Ordering::Relaxed);
        }
        from as u64 >= clean
    }

    /// Frees the block that starts at `at`. Any thread.
    #[inline]
    pub fn free(&self, at: usize) -> Freed {
        let (word, bit) = bit(at);
        // Relaxed: whoever has the block got it after its start was written, and whoever
        // begins the chunk anew does so after the count.
        if self.starts[word].load(Ordering::Relaxed) & bit == 0
            || self.freed[word].fetch_or(bit, Ordering::Relaxed) & bit != 0
        {
            return Freed::Nothing;
        }
        // Release: what the block's users did comes before the chunk is used again. Acquire:
        // and so for all blocks, if this is the last.
        match self.count.fetch_sub(1, Ordering::AcqRel) {
            1 => Freed::Last,
            _ => Freed::Fine,
        }
    }

    /// Whether all blocks are free, so that the chunk can begin anew. The holder.
    #[inline]
    pub fn is_empty(&self) -> bool {
        // Acquire: as in `free`.
        self.count.load(Ordering::Acquire) == HELD - self.made.load(Ordering::Relaxed)
    }

    /// The holder gives the chunk up. True if no block is in use: it has the chunk to itself.
    /// Else whoever frees the last block has.
    pub fn let_go(&self) -> bool {
        let unmade = HELD - self.made.load(Ordering::Relaxed);
        self.count.fetch_sub(unmade, Ordering::AcqRel) == unmade
    }

    /// Makes the block at `at` in use `size` grains long, if it is the last and there is room.
    /// The holder, which has the block, too.
    pub fn resize(&self, at: usize, size: usize) -> bool {
        let fits = at + size <= GRAINS && self.end(at) == self.top.load(Ordering::Relaxed) as usize;
        if fits {
            self.set_top(at, at + size);
        }
        fits
    }

    /// What lies at grain `at`, and whether `exactly` there. Any thread; of blocks that others
    /// have the answer may be out of date.
    pub fn look(&self, at: usize, exactly: bool) -> Place {
        let Some(start) = self.start_before(at) else {
            return Place::Nothing;
        };
        let size = self.end(start).saturating_sub(start);
        if at - start >= size {
            return Place::Nothing;
        }
        let (word, bit) = bit(start);
        let freed = self.freed[word].load(Ordering::Relaxed) & bit != 0;
        match (start == at && exactly, freed) {
            (false, _) => Place::Inside { start, size },
            (true, true) => Place::Freed { size },
            (true, false) => Place::Used { size },
        }
    }

    /// Blocks in use and their grains. Any thread: exact while nothing changes.
    pub fn used(&self) -> (usize, usize) {
        let (mut blocks, mut grains) = (0, 0);
        for word in 0..WORDS {
            let mut bits = self.starts[word].load(Ordering::Relaxed)
                & !self.freed[word].load(Ordering::Relaxed);
            while bits != 0 {
                let at = word * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                blocks += 1;
                grains += self.end(at).saturating_sub(at);
            }
        }
        (blocks, grains)
    }

    /// Counts anew, from the bits. Whoever held the chunk, or was freeing into it, may have
    /// been cut off between two steps; nobody else runs. The chunk is held.
    pub fn recount(&self) {
        let top = self.top.load(Ordering::Relaxed) as usize;
        let (mut made, mut freed) = (0, 0);
        for word in 0..WORDS {
            let below = match top.saturating_sub(word * 64) {
                64.. => u64::MAX,
                bits => (1 << bits) - 1,
            };
            let starts = self.starts[word].load(Ordering::Relaxed) & below;
            let gone = self.freed[word].load(Ordering::Relaxed) & starts;
            self.starts[word].store(starts, Ordering::Relaxed);
            self.freed[word].store(gone, Ordering::Relaxed);
            made += u64::from(starts.count_ones());
            freed += u64::from(gone.count_ones());
        }
        self.made.store(made, Ordering::Relaxed);
        self.count.store(HELD - freed, Ordering::Relaxed);
    }

    /// Blocks that were freed since the chunk was begun. As `used`.
    pub fn freed(&self) -> usize {
        let ones = |word: &AtomicU64| word.load(Ordering::Relaxed).count_ones() as usize;
        self.freed.iter().map(ones).sum()
    }

    /// Where the block that starts at `at` ends.
    fn end(&self, at: usize) -> usize {
        // Acquire: the top first, see invariant 1. What is bumped later starts there or above.
        let top = self.top.load(Ordering::Acquire) as usize;
        let mut from = at + 1;
        while from < top {
            let bits = self.starts[from / 64].load(Ordering::Relaxed) >> (from % 64);
            if bits != 0 {
                return top.min(from + bits.trailing_zeros() as usize);
            }
            from = (from / 64 + 1) * 64;
        }
        top
    }

    /// The last start up to `at`.
    fn start_before(&self, at: usize) -> Option<usize> {
        let mut word = at / 64;
        let mut below = u64::MAX >> (63 - at % 64);
        loop {
            let bits = self.starts[word].load(Ordering::Relaxed) & below;
            if bits != 0 {
                return Some(word * 64 + bits.ilog2() as usize);
            }
            word = word.checked_sub(1)?;
            below = u64::MAX;
        }
    }

    /// Checks the invariants of a chunk that the caller holds.
    #[cfg(all(test, not(loom)))]
    pub fn check(&self) {
        // First: others may go on freeing, and a free sets its bit before it counts.
        let done = HELD - self.count.load(Ordering::Acquire);
        let top = self.top.load(Ordering::Relaxed);
        assert!(top <= GRAINS as u64 && self.clean.load(Ordering::Relaxed) >= top);
        let (mut made, mut freed) = (0, 0);
        for word in 0..WORDS {
            let starts = self.starts[word].load(Ordering::Relaxed);
            let gone = self.freed[word].load(Ordering::Relaxed);
            assert_eq!(gone & !starts, 0, "freed where nothing starts");
            assert!(starts == 0 || (word * 64 + starts.ilog2() as usize) < top as usize);
            made += u64::from(starts.count_ones());
            freed += u64::from(gone.count_ones());
        }
        assert_eq!(made, self.made.load(Ordering::Relaxed));
        assert!(done <= freed, "frees are counted that were not done");
    }
}

#[cfg(all(test, not(loom)))]
mod tests;
