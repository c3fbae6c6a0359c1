//! A thread's heap: the pages it allocates from.
//!
//! Of each class one page is *active*: blocks are popped from it. When it has none left,
//! another takes its place, and it waits in a list; see `lists`. A page that is let go is
//! *full*, and *returned* as soon as somebody has freed into it.
//!
//! Invariants
//! 1. `top.active[c]` is a page of class c that this heap owns, in no list and with its
//!    bias in `used`; or the empty page. `direct[i]` is the active page of the class of
//!    size 16·i, or the empty page: a sentinel that sends the request to the slow path.
//! 2. All of `Lists` and all of `top` change only under the lock of `lists`.
//! 3. A page in a bin is owned by this heap; a page in `returned` is full with a tally
//!    count above 0, and its home is this heap.
//! 4. `kept_bytes` is the size of the pages in lists that are marked `kept`; those have
//!    no block in use.
//! 5. Only the thread that holds `life` pops and pushes blocks of pages that it owns, and
//!    uses `outbox` and `shelf`.

use super::lists::Lists;
use super::outbox::Outbox;
use crate::backend::slab;
use crate::base::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
use crate::base::block::{Block, Chain};
use crate::base::class::{self, CLASSES, DIRECT};
use crate::base::mailbox::Mailbox;
use crate::map::{self, ListId, Page, PageList};
use crate::sys::lock::{Lock, Rank};
use crate::sys::thread::Life;
use core::cell::UnsafeCell;
use core::ptr::null_mut;
use crossbeam_utils::CachePadded;

/// The tables of the fast path. Relaxed atomics, so that another thread can change the
/// mode of a heap while its owner allocates.
#[repr(C)]
pub struct Top {
    pub direct: [AtomicPtr<Page>; DIRECT],
    pub active: [AtomicPtr<Page>; CLASSES],
}

impl Top {
    const fn empty() -> Top {
        Top {
            direct: [const { AtomicPtr::new(map::none()) }; DIRECT],
            active: [const { AtomicPtr::new(map::none()) }; CLASSES],
        }
    }
}

/// What stands for the heap of a thread that has none: its tables send every request to
/// the slow path. Never written; new heaps begin as copies of it.
pub static NO_HEAP: Heap = Heap::new();

#[repr(C)]
pub struct Heap {
    pub top: Top,
    pub lists: Lock<Lists>,
    pub outbox: UnsafeCell<Outbox>,
    /// The last large block that was freed, or null.
    pub shelf: UnsafeCell<*mut Page>,
    /// Blocks put on free lists, or given out, at refills.
    pub handed: AtomicUsize,
    pub mailbox: CachePadded<Mailbox>,
    pub life: Life,
    /// Whether the holder has laid the heap down: whoever sets it to false has it.
    pub dead: AtomicBool,
    /// Whether it was laid down with pages in it.
    pub stranded: AtomicBool,
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
            shelf: UnsafeCell::new(null_mut()),
            handed: AtomicUsize::new(0),
            mailbox: CachePadded::new(Mailbox::new()),
            life: Life::new(),
            dead: AtomicBool::new(false),
            stranded: AtomicBool::new(false),
            cut: AtomicBool::new(false),
            next: AtomicPtr::new(null_mut()),
        }
    }

    fn address(&self) -> usize {
        core::ptr::from_ref(self) as usize
    }

    /// Counts blocks handed out. Only the holder writes.
    pub fn count_handed(&self, blocks: u32) {
        let sum = self.handed.load(Ordering::Relaxed) + blocks as usize;
        self.handed.store(sum, Ordering::Relaxed);
    }

    /// Writes the active page of a class, and `direct` with it.
    fn set_active(&self, class: usize, page: *mut Page) {
        self.top.active[class].store(page, Ordering::Relaxed);
        let (from, to) = class::info(class).direct;
        for slot in &self.top.direct[from as usize..to as usize] {
            slot.store(page, Ordering::Relaxed);
        }
    }

    /// Takes the active page of a class away from the fast path. Null if there is none.
    fn clear_active(&self, class: usize) -> *mut Page {
        let page = self.top.active[class].load(Ordering::Relaxed);
        if page == map::none() {
            return null_mut();
        }
        self.set_active(class, map::none());
        // SAFETY: invariant 1.
        unsafe { (*page).used -= 1 };
        page
    }

    /// A page of `class` with room, made active; null if there is no memory.
    ///
    /// # Safety
    /// The caller holds `life`.
    pub unsafe fn refill(&self, lists: &mut Lists, class: usize) -> *mut Page {
        let active = self.top.active[class].load(Ordering::Relaxed);
        // SAFETY: the active page is ours (or the empty one), and so are listed pages.
        unsafe {
            if (*active).has_room() {
                return active;
            }
            let page = lists.find(class);
            if !page.is_null() {
                self.activate(lists, class, page);
            }
            page
        }
    }

    /// Makes a new page of `class` active; null if there is no memory.
    ///
    /// # Safety
    /// The caller holds `life`.
    pub unsafe fn add_page(&self, lists: &mut Lists, class: usize) -> *mut Page {
        lists.turn = lists.turn.wrapping_add(1);
        match slab::create(class, self.address(), lists.turn) {
            // SAFETY: the page is ours.
            Some(page) => unsafe {
                self.activate(lists, class, page);
                page
            },
            None => null_mut(),
        }
    }

    unsafe fn activate(&self, lists: &mut Lists, class: usize, page: *mut Page) {
        let old = self.top.active[class].load(Ordering::Relaxed);
        if old != map::none() {
            // SAFETY: `old` is active: ours, and in no list.
            unsafe {
                (*old).used -= 1;
                lists.add(old);
            }
        }
        // SAFETY: the page is ours and in no list.
        unsafe {
            self.count_handed((*page).capacity - (*page).uncarved - (*page).used);
            (*page).used += 1;
        }
        self.set_active(class, page);
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
                lists.emptied(page);
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
            (*page).set_owner(self.address());
            lists.add(page);
        }
    }

    /// Lets go of all that no block in use needs.
    ///
    /// # Safety
    /// The caller holds `life`.
    pub unsafe fn release_free(&self, lists: &mut Lists) {
        for class in 0..CLASSES {
            // SAFETY: ours, or the empty page, whose `used` is 0.
            unsafe {
                let active = self.top.active[class].load(Ordering::Relaxed);
                if (*active).used == 1 {
                    slab::release(self.clear_active(class));
                }
                lists.release_kept(class);
            }
        }
    }

    /// Takes over all pages of `from`, which is left without any.
    ///
    /// # Safety
    /// The caller holds the life of both, and both locks.
    pub unsafe fn take_over(&self, lists: &mut Lists, from: &Heap, theirs: &mut Lists) {
        // SAFETY: the pages in the lists of `from` are the caller's, too.
        unsafe {
            from.release_free(theirs);
            for class in 0..CLASSES {
                let active = from.clear_active(class);
                let bin = &mut theirs.bins[class];
                let mut page = active;
                loop {
                    if !page.is_null() {
                        (*page).home.store(self.address(), Ordering::Release);
                        (*page).set_owner(self.address());
                        lists.put(page);
                    }
                    page = bin.pop_front();
                    if page.is_null() {
                        break;
                    }
                }
            }
            loop {
                let page = theirs.returned.pop_front();
                if page.is_null() {
                    break;
                }
                (*page).home.store(self.address(), Ordering::Release);
                self.take_back(lists, page);
            }
        }
    }

    /// Counts the blocks in use anew in all pages: their counts may have been cut off
    /// from their lists.
    ///
    /// # Safety
    /// The caller holds `life`.
    pub unsafe fn recount(&self, lists: &mut Lists) {
        for class in 0..CLASSES {
            let active = self.top.active[class].load(Ordering::Relaxed);
            // SAFETY: ours.
            unsafe {
                if active != map::none() {
                    slab::recount(active);
                    (*active).used += 1;
                }
                let bin = &lists.bins[class];
                for page in bin.iter() {
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
        for class in 0..CLASSES {
            let page = self.clear_active(class);
            if !page.is_null() {
                // SAFETY: was active: ours, in no list.
                unsafe { lists.put(page) };
            }
        }
    }

    /// How many pages the heap holds.
    pub fn pages(&self, lists: &Lists) -> usize {
        let active = self.top.active.iter();
        active
            .filter(|page| page.load(Ordering::Relaxed) != map::none())
            .count()
            + lists
                .bins
                .iter()
                .map(|bin| bin.len() as usize)
                .sum::<usize>()
            + lists.returned.len() as usize
    }

    /// Checks the invariants of the heap and of its pages.
    ///
    /// # Safety
    /// The caller holds `life`.
    #[cfg(test)]
    pub unsafe fn check(&self) {
        let lists = self.lists.lock();
        let mut kept = 0;
        for class in 0..CLASSES {
            let active = self.top.active[class].load(Ordering::Relaxed);
            for size in (0..=class::DIRECT_MAX).filter(|&size| class::class_of(size) == class) {
                assert_eq!(
                    self.top.direct[size.div_ceil(class::QUANTUM)].load(Ordering::Relaxed),
                    active
                );
            }
            // SAFETY: pages of this heap.
            unsafe {
                if active != map::none() {
                    assert_eq!(
                        ((*active).class as usize, (*active).list),
                        (class, ListId::None)
                    );
                    assert!((*active).used > 0 && (*active).is_owned_by(self.address()));
                    slab::check(active);
                }
                let bin = &lists.bins[class];
                for page in bin.iter() {
                    assert_eq!((*page).class as usize, class);
                    assert!((*page).is_owned_by(self.address()));
                    assert!(!(*page).tally.load().is_full());
                    assert_eq!((*page).kept, (*page).used == 0);
                    slab::check(page);
                    kept += if (*page).kept {
                        super::lists::span(page)
                    } else {
                        0
                    };
                }
            }
        }
        assert_eq!(kept, lists.kept_bytes);
        for page in lists.returned.iter() {
            // SAFETY: full pages at home here.
            unsafe {
                assert!((*page).tally.load().is_full() && (*page).tally.load().count() > 0);
                assert_eq!((*page).home.load(Ordering::Relaxed), self.address());
            }
        }
    }
}
