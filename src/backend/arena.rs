//! Arenas: blocks of mixed sizes bumped off chunks, each of which is used again as a whole.
//!
//! A chunk is a span of one slice; longer ones would leave the caches before they are used
//! again. Each thread heap has an arena, which holds one chunk, the *current* one, and bumps
//! blocks off it until there is no room. Then the chunk is let go: it belongs to its blocks,
//! and whoever frees the last of them gets it. Any thread frees, by atomics alone, so there
//! is no mailbox. A chunk that few blocks pin waits for them.
//!
//! Invariants (and those of `base::chunk`)
//! 1. `current` is null or a chunk that this arena holds. No other arena holds it.
//! 2. `kept[..count]` are chunks without a block in use, this arena's alone, made for it.
//! 3. A chunk's header says `Kind::Arena` and leads to its record by `home`; its owner is 0,
//!    so that every free of its blocks takes the slow path.
//! 4. Only `bump` and `settle` change anything without the lock that the fork handlers take.
//!    Cut off in the middle, they leave what `recount` puts right.

use super::buddy::{self, Use};
use crate::base::atomic::{Ordering, fence};
use crate::base::chunk::{Chunk, GRAIN, GRAINS};
pub use crate::base::chunk::{Freed, Place};
use crate::base::class::{QUANTUM, SLICE};
use crate::map::{self, Kind, Page};
use core::ptr::null_mut;

mod record;

use record::Record;
pub use record::{raw_lock, survive_copy};

/// The largest block that is bumped: an eighth of a chunk, so that no more of it is lost at
/// its end.
pub const ARENA_MAX: usize = SLICE / 8;
/// Empty chunks that an arena keeps, the last one emptied being the first used again.
const KEPT: usize = 4;
/// Bytes in these.
pub const KEPT_MAX: usize = KEPT * SLICE;

const _: () = assert!(GRAIN == QUANTUM && GRAINS * GRAIN == SLICE);

/// The chunks that a heap bumps blocks off. What takes it mutably is the heap's holder's.
pub struct Arena {
    current: *mut Page,
    /// Whether all blocks of the current chunk have been freed: it begins anew at the next
    /// request, and until then a second free is told.
    emptied: bool,
    kept: [*mut Page; KEPT],
    count: usize,
}

/// The record of a chunk. Records stay for ever, so a stale one can be read.
fn record_of(page: *mut Page) -> *mut Record {
    // SAFETY: a header; invariant 3.
    unsafe { (*page).home.load(Ordering::Relaxed) as *mut Record }
}

/// # Safety
/// The page is the header of a chunk.
unsafe fn chunk<'a>(page: *mut Page) -> &'a Chunk {
    // SAFETY: invariant 3; records stay.
    unsafe { &(*record_of(page)).chunk }
}

/// The grain that a place in a chunk lies in, and whether it lies at its start.
fn grain(page: *mut Page, address: usize) -> (usize, bool) {
    // SAFETY: a header.
    let offset = address - unsafe { (*page).base };
    (offset / GRAIN, offset.is_multiple_of(GRAIN))
}

/// Bytes in the block that a request of `size` bytes gets.
pub fn usable(size: usize) -> usize {
    size.max(1).next_multiple_of(GRAIN)
}

impl Arena {
    pub const NEW: Arena = Arena {
        current: null_mut(),
        emptied: false,
        kept: [null_mut(); KEPT],
        count: 0,
    };

    /// A block of at least `size` bytes, at most `ARENA_MAX`, from the current chunk. Also
    /// says whether it reads as zero. None if there is no room.
    ///
    /// # Safety
    /// The caller holds the heap.
    #[inline]
    pub unsafe fn bump(&mut self, size: usize) -> Option<(usize, bool)> {
        if self.current.is_null() {
            return None;
        }
        // SAFETY: invariant 1.
        unsafe {
            let chunk = chunk(self.current);
            if self.emptied {
                chunk.begin();
                self.emptied = false;
            }
            let (at, zeroed) = chunk.bump(usable(size) / GRAIN)?;
            Some(((*self.current).base + at * GRAIN, zeroed))
        }
    }

    /// Lets the current chunk go, and makes one current that has room for any block. False
    /// if there is no memory.
    ///
    /// # Safety
    /// The caller holds the heap, and its lock.
    pub unsafe fn refill(&mut self) -> bool {
        // SAFETY: chunks of ours.
        unsafe {
            let mut page = self.drop_current(true);
            if page.is_null() && self.count > 0 {
                self.count -= 1;
                page = self.kept[self.count];
            }
            if !page.is_null() {
                chunk(page).begin();
            } else if let Some(new) = create(&raw const *self as usize) {
                page = new;
            }
            self.current = page;
            !page.is_null()
        }
    }

    /// Lets the current chunk go; `full` if it was touched to its end. Returns it if it has no
    /// block in use.
    unsafe fn drop_current(&mut self, full: bool) -> *mut Page {
        let page = core::mem::replace(&mut self.current, null_mut());
        self.emptied = false;
        // SAFETY: it was ours. Once let go, only its record and header stay for sure.
        unsafe {
            if page.is_null() {
                return page;
            }
            if full && !(*record_of(page)).dense.swap(true, Ordering::Relaxed) {
                buddy::count_dense(1, true);
            }
            match chunk(page).let_go() {
                true => page,
                false => null_mut(),
            }
        }
    }

    /// Looks whether a free by the heap's holder, of a block of `page`, has emptied the current
    /// chunk. The page may be gone.
    ///
    /// # Safety
    /// The caller holds the heap.
    #[inline]
    pub unsafe fn settle(&mut self, page: *mut Page) {
        if page == self.current {
            // SAFETY: invariant 1.
            self.emptied = unsafe { chunk(page).is_empty() };
        }
    }

    /// Keeps an empty chunk for the next refill, if it was made here and `room` bytes may be
    /// kept that way. Else it stays the caller's.
    ///
    /// # Safety
    /// The caller holds the heap, and its lock; the chunk is its alone.
    pub unsafe fn keep(&mut self, page: *mut Page, room: usize) -> bool {
        // SAFETY: the chunk is the caller's.
        let home = unsafe { (*record_of(page)).home.load(Ordering::Relaxed) };
        let keeps = home == &raw const *self as usize && self.count < KEPT.min(room / SLICE);
        if keeps {
            self.kept[self.count] = page;
            self.count += 1;
        }
        keeps
    }

    /// Makes a block of `page` at `address` `size` bytes long, if it is the last of the current
    /// chunk and there is room.
    ///
    /// # Safety
    /// The caller holds the heap, and the block is its own.
    pub unsafe fn resize(&mut self, page: *mut Page, address: usize, size: usize) -> bool {
        // SAFETY: invariant 1.
        unsafe {
            let (at, _) = grain(page, address);
            page == self.current && size <= SLICE && chunk(page).resize(at, usable(size) / GRAIN)
        }
    }

    /// Gives back what no block in use needs.
    ///
    /// # Safety
    /// The caller holds the heap, and its lock.
    pub unsafe fn release_empty(&mut self) {
        // SAFETY: chunks of ours.
        unsafe {
            while self.count > 0 {
                self.count -= 1;
                release(self.kept[self.count]);
            }
            if !self.current.is_null() && chunk(self.current).is_empty() {
                release(self.drop_current(false));
            }
        }
    }

    /// The holder is about to lay the heap down: nothing is held any more.
    ///
    /// # Safety
    /// As `release_empty`.
    pub unsafe fn leave(&mut self) {
        // SAFETY: chunks of ours.
        unsafe {
            self.release_empty();
            let page = self.drop_current(false);
            if !page.is_null() {
                release(page);
            }
        }
    }

    /// In a copy of the process: others may have been cut off while they bumped off the current
    /// chunk, or freed into it. Nobody else runs.
    pub fn recount(&mut self) {
        self.emptied = false;
        if !self.current.is_null() {
            // SAFETY: invariant 1.
            unsafe { chunk(self.current).recount() };
        }
    }

    /// Checks the invariants.
    ///
    /// # Safety
    /// The caller holds the heap, and its lock.
    #[cfg(test)]
    pub unsafe fn check(&self) {
        let chunks = self.kept[..self.count].iter().chain([&self.current]);
        for &page in chunks.filter(|page| !page.is_null()) {
            // SAFETY: chunks of ours.
            unsafe {
                assert_eq!((*page).kind, Kind::Arena);
                assert_eq!(map::lookup((*page).start), page);
                assert_eq!((*page).owner.load(Ordering::Relaxed), 0);
                match page == self.current {
                    true => chunk(page).check(),
                    false => assert_eq!(chunk(page).used(), (0, 0)),
                }
            }
        }
        // SAFETY: as above; what is emptied is there.
        assert!(!self.emptied || unsafe { chunk(self.current).is_empty() });
    }
}

/// A chunk for the arena at address `home`, held, with nothing in it.
fn create(home: usize) -> Option<*mut Page> {
    let record = record::take()?;
    let Some(span) = buddy::alloc(Use::Small, 1, 1, 1) else {
        record::give(record);
        return None;
    };
    let page = span.page;
    // SAFETY: the span and the record were just taken.
    unsafe {
        (*record).home.store(home, Ordering::Relaxed);
        (*record).dense.store(false, Ordering::Relaxed);
        (*record).chunk.open(span.zeroed);
        (*page).base = (*page).start;
        // No address starts a slab block.
        (*page).magic = 0;
        (*page).kept = false;
        (*page).owner.store(0, Ordering::Relaxed);
        (*page).home.store(record as usize, Ordering::Relaxed);
        // Who sees the kind sees the record: see `count`.
        fence(Ordering::Release);
        (*page).kind = Kind::Arena;
        map::set((*page).start, 1, page);
    }
    Some(page)
}

/// Gives a chunk back.
///
/// # Safety
/// The chunk is the caller's alone, and has no block in use.
pub unsafe fn release(page: *mut Page) {
    // SAFETY: as the caller says.
    unsafe {
        let record = record_of(page);
        if (*record).dense.load(Ordering::Relaxed) {
            buddy::count_dense(1, false);
        }
        map::set((*page).start, 1, null_mut());
        buddy::free(page);
        record::give(record);
    }
}

/// Frees the block at `address`. After `Freed::Last` the chunk is the caller's, to be kept or
/// released.
///
/// # Safety
/// The page is the header of a chunk that `address` lies in; the block, if there is one, is the
/// caller's.
#[inline]
pub unsafe fn free(page: *mut Page, address: usize) -> Freed {
    match grain(page, address) {
        // SAFETY: as the caller says.
        (at, true) => unsafe { chunk(page).free(at) },
        (_, false) => Freed::Nothing,
    }
}

/// What lies at `address`, in bytes.
///
/// # Safety
/// As `free`.
pub unsafe fn look(page: *mut Page, address: usize) -> Place {
    let (at, exactly) = grain(page, address);
    // SAFETY: as the caller says.
    unsafe {
        match chunk(page).look(at, exactly) {
            Place::Used { size } => Place::Used { size: size * GRAIN },
            Place::Freed { size } => Place::Freed { size: size * GRAIN },
            Place::Inside { start, size } => Place::Inside {
                start: (*page).base + start * GRAIN,
                size: size * GRAIN,
            },
            Place::Nothing => Place::Nothing,
        }
    }
}

/// Blocks in use in a chunk, their bytes, and blocks that are free there.
///
/// # Safety
/// The page is the header of a chunk, which stays.
pub unsafe fn count(page: *mut Page) -> (usize, usize, usize) {
    // The caller has seen the kind: see `create`.
    fence(Ordering::Acquire);
    // SAFETY: as the caller says.
    let chunk = unsafe { chunk(page) };
    let (blocks, grains) = chunk.used();
    (blocks, grains * GRAIN, chunk.freed())
}

#[cfg(test)]
mod tests;
