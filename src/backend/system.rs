//! Blocks with a mapping of their own: larger than a span can be, or aligned more
//! strictly.
//!
//! A freed block is kept for later ones while the budget for dirty memory has room, and
//! unmapped otherwise. Of one that is too long a block is cut off; one that is too short is
//! lengthened, and its OS pages move if they must. Blocks start at slices, and only their
//! first slice is in the page map.
//!
//! Invariants
//! 1. A header is in exactly one of `used`, `kept`, `stuck` and the spare list.
//! 2. The page map leads from the first slice of each used block to its header, and to
//!    none of the others.
//! 3. `kept` bytes count as dirty in the budget.

use super::budget::{self, Budget};
use super::meta;
use crate::base::bits::round_up;
use crate::base::class::SLICE;
use crate::map::{self, Kind, ListId, Page, PageList};
use crate::sys::auxv::os_page;
use crate::sys::lock::{Lock, Rank, RawLock};
use crate::sys::vm;
use core::ptr::null_mut;

/// Blocks from this size on start at a multiple of it where they can: a huge page, and as
/// much as the kernel moves at a time. What is cut off a kept block is as long at least.
const HUGE: usize = 2 << 20;
/// A kept block is lengthened if no more than so much of its new length is new.
const NEW_MAX: usize = 4;
/// The most blocks that are kept.
const KEPT_MAX: u32 = 16;

/// The largest request whose refusal tells that memory is short.
const PLAUSIBLE: usize = 64 << 20;

struct System {
    used: PageList,
    kept: PageList,
    /// Mappings that the kernel would not unmap (its table of them is full): purged, they
    /// serve later blocks or go when the next one goes.
    stuck: PageList,
    spare: *mut Page,
    /// Bytes used and kept.
    mapped: usize,
    /// The most blocks that were ever in use.
    most: u32,
    budget: Budget,
}

// SAFETY: the raw pointers lead to headers that this structure alone manages.
unsafe impl Send for System {}

static SYSTEM: Lock<System> = Lock::new(Rank::System, System::NEW);

/// A block of at least `size` bytes at a multiple of `align`, a power of two. Also says
/// whether it reads as zero.
pub fn alloc(size: usize, align: usize) -> Option<(*mut Page, bool)> {
    let size = round_up(size.max(1), os_page())?;
    let align = align.max(SLICE);
    let mut system = SYSTEM.lock();
    let kept = system.take_kept(size, align);
    if let Some(page) = kept.or_else(|| system.take_stuck(size, align)) {
        return Some((page, false));
    }
    let shorter = system.take_shorter(size, align);
    drop(system);
    if let Some(page) = shorter.and_then(|page| lengthen(page, size)) {
        return Some((page, false));
    }
    let page = SYSTEM.lock().take_header()?;
    let Some(start) = map_block(size, align) else {
        SYSTEM.lock().put_header(page);
        return None;
    };
    let mut system = SYSTEM.lock();
    // SAFETY: the header is in our hands.
    unsafe {
        page.write(Page {
            kind: Kind::System,
            ..Page::empty()
        });
        place(page, start, size);
        system.enter(page);
    }
    let again = system.budget.remap(size);
    system.budget.take(size, 0, again);
    system.mapped += size;
    map::set(start, 1, page);
    drop(system);
    settle();
    Some((page, true))
}

/// Makes a kept block in hand, which is in no list, `size` bytes long and used. `None` keeps it.
fn lengthen(page: *mut Page, size: usize) -> Option<*mut Page> {
    // SAFETY: the header is in hand.
    let (start, mapped) = unsafe { ((*page).start, (*page).mapped) };
    let to = vm::remap(start, mapped, size, HUGE, |to| map::prepare(to, SLICE));
    let mut system = SYSTEM.lock();
    // SAFETY: as above.
    unsafe {
        let Some(to) = to else {
            system.budget.give(mapped);
            system.kept.push_back(page);
            return None;
        };
        place(page, to, size);
        let again = system.budget.remap(size - mapped);
        system.budget.take(size - mapped, 0, again);
        system.mapped += size - mapped;
        system.enter(page);
        map::set(to, 1, page);
    }
    drop(system);
    settle();
    Some(page)
}

/// Gives a block back.
///
/// # Safety
/// The page is the header of a block from `alloc` that nobody uses any more.
pub unsafe fn free(page: *mut Page) {
    let mut system = SYSTEM.lock();
    // SAFETY: the caller gives the block up.
    unsafe {
        map::set((*page).start, 1, null_mut());
        system.used.remove(page);
        system.kept.push_front(page);
        system.budget.give((*page).mapped);
    }
    drop(system);
    settle();
}

/// Unmaps kept blocks until they are within their allowance, the oldest first, and of the last
/// only its end.
pub fn settle() {
    loop {
        let mut system = SYSTEM.lock();
        let excess = system.budget.excess(0, 0);
        if system.kept.len() <= KEPT_MAX && excess == 0 {
            return;
        }
        let enough = if excess > 0 { excess } else { usize::MAX };
        let Some(page) = system.take_oldest(enough) else {
            return;
        };
        drop(system);
        unmap(page);
    }
}

/// Unmaps a block in hand and, if the kernel does so, those that it has refused before.
fn unmap(mut page: *mut Page) {
    while !page.is_null() {
        // SAFETY: the header is in hand.
        let (start, mapped) = unsafe { ((*page).start, (*page).mapped) };
        let gone = vm::unmap(start, mapped);
        if !gone {
            vm::purge(start, mapped);
        }
        let mut system = SYSTEM.lock();
        if !gone {
            // SAFETY: as above; it is in no list.
            unsafe { system.stuck.push_front(page) };
            return;
        }
        system.put_header(page);
        // SAFETY: a member of the list under its lock.
        page = unsafe { system.stuck.pop_front() };
    }
}

/// Makes a block `size` bytes long, moving its OS pages if it must move. Says where it
/// is then; `None` leaves it as it was.
///
/// # Safety
/// The page is the header of a block from `alloc` that only the caller uses.
pub unsafe fn resize(page: *mut Page, size: usize) -> Option<usize> {
    let size = round_up(size.max(1), os_page())?;
    // SAFETY: the block is the caller's alone.
    let (start, mapped) = unsafe { ((*page).start, (*page).mapped) };
    if size == mapped {
        return Some(start);
    }
    // Before the OS pages move: another thread may map the old place at once.
    map::set(start, 1, null_mut());
    let to = vm::remap(start, mapped, size, HUGE, |to| map::prepare(to, SLICE));
    let mut system = SYSTEM.lock();
    if let Some(to) = to {
        // SAFETY: as above.
        unsafe { place(page, to, size) };
        system.mapped = system.mapped + size - mapped;
        system.budget.resize(mapped, size);
    }
    map::set(to.unwrap_or(start), 1, page);
    to
}

/// Unmaps all kept blocks: memory is short.
pub fn release_kept() {
    loop {
        let Some(page) = SYSTEM.lock().take_oldest(usize::MAX) else {
            break;
        };
        unmap(page);
    }
    // SAFETY: a member of the list under its lock.
    let stuck = unsafe { SYSTEM.lock().stuck.pop_front() };
    unmap(stuck);
}

/// Unmaps as much of the kept blocks as has been kept since the last call.
pub fn release_rested() {
    let mut system = SYSTEM.lock();
    let rested = system.budget.rested();
    let stays = system.budget.dirty.saturating_sub(rested);
    while system.budget.dirty > stays
        && let Some(page) = system.take_oldest(usize::MAX)
    {
        drop(system);
        unmap(page);
        system = SYSTEM.lock();
    }
}

/// The used block that `address` lies in, or null: for reports of misuse.
pub fn around(address: usize) -> *mut Page {
    let system = SYSTEM.lock();
    let mut all = system.used.iter();
    all.find(|&page| {
        // SAFETY: a member of the list under its lock.
        let (start, mapped) = unsafe { ((*page).start, (*page).mapped) };
        (start..start + mapped).contains(&address)
    })
    .unwrap_or(null_mut())
}

/// Bytes mapped, blocks in use, and bytes kept.
pub fn sizes() -> (usize, usize, usize) {
    let system = SYSTEM.lock();
    (
        system.mapped,
        system.used.len() as usize,
        system.budget.dirty,
    )
}

/// The most blocks that were ever in use, and the most bytes that were ever mapped.
pub fn most() -> (usize, usize) {
    let system = SYSTEM.lock();
    (system.most as usize, system.budget.most)
}

/// In an unprepared copy of the process: what may be half changed is made anew from the
/// page map. Kept blocks are lost.
pub fn survive_copy() {
    if !SYSTEM.raw().is_taken() {
        return;
    }
    let mut system = SYSTEM.lock();
    *system = System::NEW;
    // SAFETY: nobody else runs; the map leads to valid headers, and those of the old lists
    // are not used again.
    unsafe {
        for page in map::pages().filter(|&page| (*page).kind == Kind::System) {
            (*page).list = ListId::None;
            system.used.push_back(page);
            system.mapped += (*page).mapped;
            system.budget.take((*page).mapped, 0, 0);
        }
    }
}

/// The lock, for the fork handlers.
pub fn raw_lock() -> &'static RawLock {
    SYSTEM.raw()
}

fn map_block(size: usize, align: usize) -> Option<usize> {
    let wish = if size >= HUGE { align.max(HUGE) } else { align };
    let Some(start) = vm::map_aligned(size, wish).or_else(|| vm::map_aligned(size, align)) else {
        // Not for a size that says nothing about memory: a program may ask for too much.
        if size <= PLAUSIBLE {
            budget::press();
        }
        return None;
    };
    if map::prepare(start, SLICE) {
        return Some(start);
    }
    vm::discard(start, size);
    None
}

unsafe fn place(page: *mut Page, start: usize, mapped: usize) {
    // SAFETY: the caller holds the header.
    unsafe {
        (*page).start = start;
        (*page).base = start;
        (*page).mapped = mapped;
        (*page).size = mapped;
    }
}

/// The shortest block of the list that holds `size`, at a multiple of `align`.
fn shortest(list: &PageList, size: usize, align: usize) -> Option<*mut Page> {
    let holds = |page: &*mut Page| {
        // SAFETY: a member of a list, whose lock the caller holds.
        unsafe { (**page).mapped >= size && (**page).start & (align - 1) == 0 }
    };
    let fit = list.iter().filter(holds);
    // SAFETY: as above.
    fit.min_by_key(|&page| unsafe { (*page).mapped })
}

impl System {
    const NEW: System = System {
        used: PageList::new(ListId::Mapped),
        kept: PageList::new(ListId::Mapped),
        stuck: PageList::new(ListId::Mapped),
        spare: null_mut(),
        mapped: 0,
        most: 0,
        budget: Budget::new(),
    };

    /// Lists a block in use.
    ///
    /// # Safety
    /// The header is in no list.
    unsafe fn enter(&mut self, page: *mut Page) {
        // SAFETY: as the caller says.
        unsafe { self.used.push_back(page) };
        self.most = self.most.max(self.used.len());
    }

    /// The shortest kept block that holds `size`, in use again: as it is if it is at most an
    /// eighth longer, or else its beginning.
    fn take_kept(&mut self, size: usize, align: usize) -> Option<*mut Page> {
        let page = shortest(&self.kept, size, align)?;
        // SAFETY: a member of the list under its lock.
        unsafe {
            if (*page).mapped > size + size / 8 {
                let tail = self.cut(page, round_up(size, HUGE)?)?;
                self.kept.push_back(tail);
            }
            self.kept.remove(page);
            self.budget.take((*page).mapped, (*page).mapped, 0);
            self.enter(page);
            map::set((*page).start, 1, page);
        }
        Some(page)
    }

    /// Whether the kernel would not unmap something: then pieces and moves cost addresses for good.
    fn is_stuck(&self) -> bool {
        !self.stuck.head().is_null()
    }

    /// The longest kept block that is shorter than `size`, but not by too much, in nobody's hands
    /// but the caller's.
    fn take_shorter(&mut self, size: usize, align: usize) -> Option<*mut Page> {
        // SAFETY: members of the list under its lock.
        let length = |page: &*mut Page| unsafe { (**page).mapped };
        let shorter = self.kept.iter().filter(|page| length(page) < size);
        let page = shorter.max_by_key(length)?;
        // SAFETY: as above.
        unsafe {
            let mapped = (*page).mapped;
            if self.is_stuck()
                || align > HUGE
                || (*page).start & (align - 1) != 0
                || mapped < size / NEW_MAX
            {
                return None;
            }
            self.kept.remove(page);
            self.budget.take(mapped, mapped, 0);
        }
        Some(page)
    }

    /// Cuts a kept block after `length` bytes, if what is behind is worth it: the header of that,
    /// which is in no list.
    ///
    /// # Safety
    /// The page is a kept block, and longer than `length`, a multiple of slices.
    unsafe fn cut(&mut self, page: *mut Page, length: usize) -> Option<*mut Page> {
        // SAFETY: as the caller says; a spare header is ours.
        unsafe {
            let (start, mapped) = ((*page).start, (*page).mapped);
            if self.is_stuck() || mapped < length + HUGE || !map::prepare(start + length, SLICE) {
                return None;
            }
            let tail = self.take_header()?;
            tail.write(Page {
                kind: Kind::System,
                ..Page::empty()
            });
            place(tail, start + length, mapped - length);
            place(page, start, length);
            Some(tail)
        }
    }

    /// A mapping that the kernel would not unmap, in use again. It may be twice as long as
    /// needed: only what is touched costs memory.
    fn take_stuck(&mut self, size: usize, align: usize) -> Option<*mut Page> {
        let page = shortest(&self.stuck, size, align)?;
        // SAFETY: a member of the list under its lock.
        unsafe {
            let mapped = (*page).mapped;
            if mapped / 2 > size {
                return None;
            }
            self.stuck.remove(page);
            let again = self.budget.remap(mapped);
            self.budget.take(mapped, 0, again);
            self.mapped += mapped;
            self.enter(page);
            map::set((*page).start, 1, page);
        }
        Some(page)
    }

    /// The kept block that was freed first, or its end if that is `enough` bytes, out of every
    /// list.
    fn take_oldest(&mut self, enough: usize) -> Option<*mut Page> {
        let mut page = self.kept.iter().last()?;
        // SAFETY: a member of the list under its lock.
        let mapped = unsafe {
            let stays = (*page).mapped.saturating_sub(enough) / HUGE * HUGE;
            let tail = match stays {
                0 => None,
                _ => self.cut(page, stays),
            };
            match tail {
                Some(tail) => page = tail,
                None => self.kept.remove(page),
            }
            (*page).mapped
        };
        self.budget.unmap(mapped, mapped);
        self.mapped -= mapped;
        Some(page)
    }

    fn take_header(&mut self) -> Option<*mut Page> {
        let page = self.spare;
        if page.is_null() {
            let fresh = meta::alloc(size_of::<Page>(), align_of::<Page>()) as *mut Page;
            return (!fresh.is_null()).then_some(fresh);
        }
        // SAFETY: a spare header is ours; `next` links the spare list.
        self.spare = unsafe { (*page).next };
        Some(page)
    }

    fn put_header(&mut self, page: *mut Page) {
        // SAFETY: the header is in no list.
        unsafe { (*page).next = self.spare };
        self.spare = page;
    }
}

#[cfg(test)]
mod tests;
