//! A thread's heap: the pages it allocates from.
//!
//! Of each bin, a lane and a class, one page is *active*: blocks are popped from it. When it has none left,
//! another takes its place, and it waits in a list; see `lists`. A page that is let go is
//! *full*, and *returned* as soon as somebody has freed into it.
//!
//! Invariants
//! 1. `active(b)` is a page of bin b that this heap owns, in no list and with a bias
//!    of 0, or of 1 if it is `kept`; or the empty page. That of lane 0 stands in `top.active`, but
//!    for classes that are closed: see `lanes`. `direct[i]` is `top.active` of the class of
//!    size 16·i. The empty page is a sentinel that sends the request to the slow path.
//! 2. All of `Lists` and all of `top` change only under the lock of `lists`.
//! 3. A page in a bin is owned by this heap; a page in `returned` is full with a tally
//!    count above 0, and its home is this heap.
//! 4. `kept_bytes` is what the pages that are marked `kept` have written down as their
//!    size. Those in a list have no block in use, and come first in their class's.
//! 5. Only the thread that holds `life` pops and pushes blocks of pages that it owns, and
//!    uses `outbox` and `arena`. The block on the shelf is whose who takes it, by an exchange.

use super::lists::{self, Lists};
use super::outbox::Outbox;
use crate::backend::arena::Arena;
use crate::backend::slab;
use crate::base::atomic::{AtomicBool, AtomicPtr, AtomicU8, AtomicU64, AtomicUsize, Ordering};
use crate::base::block::{Block, Chain};
use crate::base::class::CLASSES;
use crate::base::mailbox::Mailbox;
use crate::map::{self, ListId, Page, PageList};
use crate::sys::lock::{Lock, Rank};
use crate::sys::thread::Life;
use core::cell::UnsafeCell;
use core::ptr::null_mut;
use crossbeam_utils::CachePadded;
use lanes::Lanes;

mod adopt;
#[cfg(test)]
mod check;
pub mod lanes;
mod left;
mod top;

pub use top::Top;

/// What stands for the heap of a thread that has none: its tables send every request to
/// the slow path. Never written; new heaps begin as copies of it. `link/early.c` has it by
/// its name.
#[unsafe(export_name = "lohalloc_no_heap")]
pub static NO_HEAP: Heap = Heap::new();

/// What a heap may be asked to give back.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Asked {
    Nothing,
    /// What has settled.
    Some,
    /// All that can be.
    All,
}

/// A bit for each class.
type ClassSet = [AtomicU64; CLASSES.div_ceil(64)];

#[repr(C)]
pub struct Heap {
    pub top: Top,
    pub lists: Lock<Lists>,
    pub outbox: UnsafeCell<Outbox>,
    pub arena: UnsafeCell<Arena>,
    /// The last large block that was freed, or null.
    pub shelf: AtomicPtr<Page>,
    /// What others have asked of the heap.
    asked: AtomicU8,
    /// Blocks put on free lists, or given out, at refills.
    pub handed: AtomicUsize,
    pub mailbox: CachePadded<Mailbox>,
    pub life: Life,
    /// Whether the holder has laid the heap down: whoever sets it to false has it.
    pub dead: AtomicBool,
    /// Whether it was laid down with pages in it.
    pub stranded: AtomicBool,
    /// How often mail was received since it was laid down.
    pub received: AtomicUsize,
    /// A bit for each class that it was laid down with pages of, which may be out of date.
    classes: ClassSet,
    /// Further lanes, or null. Set once.
    lanes: AtomicPtr<Lanes>,
    /// A bit for each class that is closed.
    closed: ClassSet,
    /// Whether the holder may have been cut off in the middle of an update: it stayed
    /// behind in the parent of a fork.
    pub cut: AtomicBool,
    /// The next heap of the registry.
    pub next: AtomicPtr<Heap>,
}

// SAFETY: parts that are not atomic follow invariants 2 and 5.
unsafe impl Sync for Heap {}

impl Heap {
    const fn new() -> Heap {
        Heap {
            top: Top::empty(),
            lists: Lock::new(Rank::Heap, Lists::NEW),
            outbox: UnsafeCell::new(Outbox::NEW),
            arena: UnsafeCell::new(Arena::NEW),
            shelf: AtomicPtr::new(null_mut()),
            asked: AtomicU8::new(Asked::Nothing as u8),
            handed: AtomicUsize::new(0),
            mailbox: CachePadded::new(Mailbox::new()),
            life: Life::new(),
            dead: AtomicBool::new(false),
            stranded: AtomicBool::new(false),
            received: AtomicUsize::new(0),
            classes: [const { AtomicU64::new(0) }; _],
            lanes: AtomicPtr::new(null_mut()),
            closed: [const { AtomicU64::new(0) }; _],
            cut: AtomicBool::new(false),
            next: AtomicPtr::new(null_mut()),
        }
    }

    fn address(&self) -> usize {
        core::ptr::from_ref(self) as usize
    }

    /// Asks the heap to give something back, at its holder's next slow path.
    pub fn ask(&self, what: Asked) {
        self.asked.fetch_max(what as u8, Ordering::Relaxed);
    }

    /// Whether anything was asked.
    #[inline]
    pub fn is_asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed) != Asked::Nothing as u8
    }

    /// What was asked, which counts as done.
    pub fn take_asked(&self) -> Asked {
        match self.asked.swap(Asked::Nothing as u8, Ordering::Relaxed) {
            0 => Asked::Nothing,
            1 => Asked::Some,
            _ => Asked::All,
        }
    }

    /// Counts blocks handed out. Only the holder writes.
    pub fn count_handed(&self, blocks: u32) {
        let sum = self.handed.load(Ordering::Relaxed) + blocks as usize;
        self.handed.store(sum, Ordering::Relaxed);
    }

    /// Writes the active page of a bin.
    fn set_active(&self, bin: usize, page: *mut Page) {
        self.top_of(bin).set(bin % CLASSES, page);
    }

    /// Takes the active page of a bin away from the fast path. Null if there is none.
    fn clear_active(&self, lists: &mut Lists, bin: usize) -> *mut Page {
        let page = self.active(bin).load(Ordering::Relaxed);
        if page == map::none() {
            return null_mut();
        }
        self.set_active(bin, map::none());
        // SAFETY: invariant 1.
        unsafe { lists.unkeep(page) };
        page
    }

    /// A page of `bin` with room, made active; null if there is no memory.
    ///
    /// # Safety
    /// The caller holds `life`.
    pub unsafe fn refill(&self, lists: &mut Lists, bin: usize) -> *mut Page {
        let active = self.active(bin).load(Ordering::Relaxed);
        // SAFETY: the active page is ours (or the empty one), and so are listed pages.
        unsafe {
            if (*active).has_room() {
                return active;
            }
            let page = lists.find(bin);
            if !page.is_null() {
                self.activate(lists, bin, page);
            }
            page
        }
    }

    /// Makes a new page of `bin` active; null if there is no memory.
    ///
    /// # Safety
    /// The caller holds `life`.
    pub unsafe fn add_page(&self, lists: &mut Lists, bin: usize) -> *mut Page {
        // SAFETY: the caller owns the listed pages.
        unsafe { lists.tend() };
        lists.turn = lists.turn.wrapping_add(1);
        match slab::create(bin, self.address(), lists.turn) {
            // SAFETY: the page is ours.
            Some(page) => unsafe {
                lists.made(page);
                self.activate(lists, bin, page);
                page
            },
            None => null_mut(),
        }
    }

    unsafe fn activate(&self, lists: &mut Lists, bin: usize, page: *mut Page) {
        let old = self.active(bin).load(Ordering::Relaxed);
        // SAFETY: `page` is ours and in no list; `old` was active: ours, and in no list, or the
        // empty page.
        unsafe {
            if (*page).bias != 0 {
                (*page).set_bias(0);
            }
            self.count_handed((*page).capacity - (*page).uncarved - (*page).used);
            self.set_active(bin, page);
            if old != map::none() {
                lists.unkeep(old);
                lists.add_as(bin, old);
            }
        }
    }

    /// Takes in what others have freed. Chains that are not for this heap come back, sealed
    /// and linked by their last blocks, ending in null.
    ///
    /// # Safety
    /// The caller holds `life`.
    pub unsafe fn collect(&self, lists: &mut Lists) -> *mut Block {
        // SAFETY: pages in `returned` are full and at home here; blocks in the mailbox
        // are free and in no other list.
        unsafe {
            loop {
                let page = lists.returned.head();
                if page.is_null() {
                    break;
                }
                self.take_back(lists, page);
            }
            let mut strays = null_mut();
            let mut block = if self.mailbox.is_empty() {
                null_mut()
            } else {
                self.mailbox.take()
            };
            while !block.is_null() {
                let page = map::lookup(block as usize);
                let chain = Chain::sealed(block, page as usize);
                if page.is_null() || map::lookup(chain.last as usize) != page {
                    crate::front::free::corrupted(block);
                }
                chain.follow_notes((*page).block_size());
                let next = (*chain.last).next;
                if (*page).home.load(Ordering::Relaxed) == self.address() {
                    self.free_home(lists, page, chain);
                } else {
                    chain.seal();
                    (*chain.last).next = strays;
                    strays = block;
                }
                block = next;
            }
            strays
        }
    }

    /// Frees a chain into its page, at home here, which may be full.
    ///
    /// # Safety
    /// The caller holds `life`, and the chain is the caller's.
    pub unsafe fn free_home(&self, lists: &mut Lists, page: *mut Page, chain: Chain) {
        // SAFETY: the chain keeps its page from being claimed by others.
        unsafe {
            if (*page).tally.load().is_full() {
                self.take_back(lists, page);
            }
            if slab::splice(page, chain) {
                self.emptied(lists, page);
            }
        }
    }

    /// The blocks out of a page of ours have come down to what its bias tells: it is empty,
    /// or sparse.
    ///
    /// # Safety
    /// The caller holds `life` and owns the page.
    pub unsafe fn emptied(&self, lists: &mut Lists, page: *mut Page) {
        // SAFETY: as the caller says; a page of ours in no list is active.
        unsafe {
            if (*page).out() > 0 {
                lists.thinned(page);
            } else {
                let bin = (*page).bin();
                let kept = lists.keep(page) || {
                    self.make_room(lists, bin);
                    lists.keep(page)
                };
                match ((*page).list, kept) {
                    // From now on it comes here no more.
                    (ListId::None, true) => (*page).set_bias(1),
                    (ListId::None, false) => lists::release(self.clear_active(lists, bin)),
                    (_, true) => {
                        lists.remove(page);
                        lists.put_first(page);
                    }
                    (_, false) => {
                        lists.remove(page);
                        lists::release(page);
                    }
                }
            }
            lists.tend();
        }
    }

    /// Gives a kept page of another bin than `but` back, or one of it if there is no other.
    unsafe fn make_room(&self, lists: &mut Lists, but: usize) {
        for bin in (but + 1..lists.bins()).chain(0..=but) {
            // SAFETY: pages of ours.
            unsafe {
                let active = self.active(bin).load(Ordering::Relaxed);
                if lists.release_kept(bin) {
                    return;
                }
                if bin != but && (*active).kept && (*active).out() == 0 {
                    lists::release(self.clear_active(lists, bin));
                    return;
                }
            }
        }
    }

    /// Takes a full page back.
    ///
    /// # Safety
    /// The caller holds `life`; the page is full, its home is this heap, and a block of
    /// it is in the caller's hands or in its tally.
    pub unsafe fn take_back(&self, lists: &mut Lists, page: *mut Page) {
        // SAFETY: after `reclaim` the page is ours.
        unsafe {
            if (*page).list == ListId::Returned {
                lists.returned.remove(page);
            }
            let word = (*page).tally.reclaim();
            (*page).free = word.head();
            (*page).used = (*page).capacity - word.count();
            (*page).bias = 0;
            (*page).set_owner(self.address());
            lists.settle_lane(page);
            lists.add(page);
        }
    }

    /// Lets go of all that no block in use needs.
    ///
    /// # Safety
    /// The caller holds `life`.
    pub unsafe fn release_free(&self, lists: &mut Lists) {
        for bin in 0..lists.bins() {
            // SAFETY: ours, or the empty page, whose `used` is 0.
            unsafe {
                let active = self.active(bin).load(Ordering::Relaxed);
                if active != map::none() && (*active).out() == 0 {
                    lists::release(self.clear_active(lists, bin));
                }
                while lists.release_kept(bin) {}
            }
        }
    }

    /// Gives the holes of all pages back.
    ///
    /// # Safety
    /// The caller holds `life`.
    pub unsafe fn punch_all(&self) {
        let bins = self.lists.lock().bins();
        for bin in 0..bins {
            // For others to get at the lock in between.
            let mut lists = self.lists.lock();
            let active = self.active(bin).load(Ordering::Relaxed);
            // SAFETY: pages of ours.
            unsafe {
                if active != map::none() {
                    lists::punch(active);
                }
                lists.punch_all(bin);
            }
        }
    }

    /// Counts the blocks in use anew in all pages: their counts may have been cut off
    /// from their lists.
    ///
    /// # Safety
    /// The caller holds `life`.
    pub unsafe fn recount(&self, lists: &mut Lists) {
        for bin in 0..lists.bins() {
            let active = self.active(bin).load(Ordering::Relaxed);
            // SAFETY: ours.
            unsafe {
                if active != map::none() {
                    slab::recount(active);
                    (*active).set_bias((*active).kept.into());
                }
                for page in lists.waiting_in(bin).iter() {
                    slab::recount(page);
                }
                for page in lists.sparse_in(bin).iter() {
                    slab::recount(page);
                }
            }
        }
    }

    /// Forgets which full pages have been freed into.
    pub fn forget_returned(&self) {
        self.lists.lock().returned = PageList::new(ListId::Returned);
    }

    /// Lists a full page at home here anew, if it has been freed into.
    ///
    /// # Safety
    /// No list of pages leads to the page.
    pub unsafe fn relist(&self, page: *mut Page) {
        // SAFETY: as the caller says.
        unsafe {
            (*page).list = ListId::None;
            if (*page).tally.load().count() > 0 {
                self.lists.lock().returned.push_back(page);
            }
        }
    }

    /// Sends every request of this heap to the slow path.
    ///
    /// # Safety
    /// The caller holds `life`.
    pub unsafe fn close_fast_path(&self, lists: &mut Lists) {
        for bin in 0..lists.bins() {
            let page = self.clear_active(lists, bin);
            if !page.is_null() {
                // SAFETY: was active: ours, in no list.
                unsafe { lists.put(page) };
            }
        }
    }

    /// How many pages the heap holds.
    pub fn pages(&self, lists: &mut Lists) -> usize {
        let mut pages = lists.sparse_pages as usize + lists.returned.len() as usize;
        for bin in 0..lists.bins() {
            let active = self.active(bin).load(Ordering::Relaxed);
            pages += usize::from(active != map::none()) + lists.waiting_in(bin).len() as usize;
        }
        pages
    }
}
