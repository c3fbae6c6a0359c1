//! Freeing into pages that other heaps allocate from, or nobody does.

use super::free::corrupted;
use super::heap::Heap;
use super::outbox::{PARCELS, Parcel};
use super::registry;
use crate::backend::slab;
use crate::base::atomic::Ordering;
use crate::base::block::{Block, Chain};
use crate::map::{self, Page};

/// Frees a block of a slab page that the calling thread's heap does not own.
///
/// # Safety
/// `heap` is the calling thread's or null; the block is of the page, and the caller's.
pub unsafe fn free(heap: *mut Heap, page: *mut Page, block: *mut Block) {
    // SAFETY: the block keeps the page alive, and is ours.
    unsafe {
        (*block).key = page as usize;
        let Some(h) = heap.as_ref() else {
            send(heap, page, Chain::of(block));
            return;
        };
        if (*page).home.load(Ordering::Relaxed) == heap as usize && (*page).tally.load().is_full() {
            // Our own page, let go when it was full; unless somebody has just taken it over.
            let mut lists = h.lists.lock();
            if (*page).home.load(Ordering::Relaxed) == heap as usize {
                h.free_home(&mut lists, page, Chain::of(block));
                return;
            }
        }
        let outbox = h.outbox.get();
        let ready = (*outbox).add(page, block);
        let crowded = (*outbox).is_crowded();
        if let Some(parcel) = ready {
            send(heap, parcel.page, parcel.chain);
        }
        if crowded {
            flush(heap, heap);
        }
        if crowded || ready.is_some() {
            // A thread that only frees never refills, and must look after its mail here.
            if !h.mailbox.is_empty() {
                let strays = h.collect(&mut h.lists.lock());
                send_all(heap, strays);
            }
        }
    }
}

/// Sends all that waits in the outbox of `from`.
///
/// # Safety
/// `heap` is the calling thread's or null; the thread holds no lock, and has `from` to
/// itself.
#[inline(never)]
pub unsafe fn flush(heap: *mut Heap, from: *mut Heap) {
    // SAFETY: the outbox is the caller's.
    unsafe {
        let mut parcels = [Parcel::NONE; PARCELS];
        let count = (*(*from).outbox.get()).take(&mut parcels);
        let mut left = &mut parcels[..count];
        while !left.is_empty() {
            let sent = send_together(heap, left);
            left = &mut left[sent..];
        }
    }
}

/// Sends the first of some chains, and with it all that go to the same mailbox. Returns how
/// many; what is left lies behind them.
///
/// # Safety
/// As `send`, for each chain; there is one.
unsafe fn send_together(heap: *mut Heap, parcels: &mut [Parcel]) -> usize {
    // SAFETY: chains keep their pages alive until they are handed over.
    unsafe {
        let Parcel { page, chain } = parcels[0];
        let home = (*page).home.load(Ordering::Acquire);
        let same_way = |page: *mut Page| {
            (*page).home.load(Ordering::Acquire) == home && !(*page).tally.load().is_full()
        };
        if home == heap as usize || !same_way(page) {
            send(heap, page, chain);
            return 1;
        }
        let mut count = 1;
        for at in 1..parcels.len() {
            if same_way(parcels[at].page) {
                parcels.swap(count, at);
                count += 1;
            }
        }
        let parcels = &mut parcels[..count];
        // The chain with the largest blocks comes first: it has room to note the others.
        let size = |parcel: &Parcel| (*parcel.page).block_size();
        let largest = (0..count).max_by_key(|&at| size(&parcels[at]));
        parcels.swap(0, largest.unwrap_or(0));
        let (head, rest) = parcels.split_at(1);
        let mut all = head[0].chain;
        all.note(size(&head[0]), rest.iter().map(|parcel| parcel.chain.first));
        all.seal();
        for parcel in rest {
            parcel.chain.note(size(parcel), core::iter::empty());
            parcel.chain.seal();
            (*all.last).next = parcel.chain.first;
            all.last = parcel.chain.last;
        }
        post(heap, home as *mut Heap, all);
        count
    }
}

/// Hands sealed chains to a heap that allocates from their pages.
unsafe fn post(heap: *mut Heap, home: *mut Heap, chains: Chain) {
    // SAFETY: homes are heaps, which stay for ever; the chains are the caller's.
    unsafe {
        (*home).mailbox.push(chains);
        // SeqCst, as the push: see `Mailbox::push`.
        if (*home).dead.load(Ordering::SeqCst) {
            registry::receive(heap, &*home);
        }
    }
}

/// Sends sealed chains, linked by their last blocks and ending in null, each to its page.
///
/// # Safety
/// As `flush`; the chains are the caller's.
#[inline]
pub unsafe fn send_all(heap: *mut Heap, block: *mut Block) {
    if !block.is_null() {
        // SAFETY: passed on.
        unsafe { send_each(heap, block) };
    }
}

#[inline(never)]
unsafe fn send_each(heap: *mut Heap, mut block: *mut Block) {
    while !block.is_null() {
        // SAFETY: free blocks of pages that they keep alive.
        unsafe {
            let page = map::lookup(block as usize);
            let chain = Chain::sealed(block, page as usize);
            let next = (*chain.last).next;
            send(heap, page, chain);
            block = next;
        }
    }
}

/// Hands a chain of blocks of one page over: to the mailbox of the heap that allocates
/// from the page, or to the page itself while it is full. Whoever brings the last block
/// of a full page gives the page back.
///
/// # Safety
/// `heap` is the calling thread's or null, and the thread holds no lock; the chain is of
/// the page, and the caller's.
unsafe fn send(heap: *mut Heap, page: *mut Page, chain: Chain) {
    // SAFETY: the chain keeps the page alive until it is handed over; homes are heaps,
    // which stay for ever.
    unsafe {
        loop {
            let home = (*page).home.load(Ordering::Acquire) as *mut Heap;
            let word = (*page).tally.load();
            if !word.is_full() {
                if home == heap {
                    // The page has become ours while the chain was on its way.
                    (*home).free_home(&mut (*home).lists.lock(), page, chain);
                    return;
                }
                chain.note((*page).block_size(), core::iter::empty());
                chain.seal();
                return post(heap, home, chain);
            }
            let total = word.count() + chain.count;
            if word.count() > 0 && total < (*page).capacity {
                if (*page).tally.push(word, chain).is_ok() {
                    return;
                }
            } else if first_or_last(heap, home, page, chain) {
                return;
            }
        }
    }
}

/// The first chain into a full page lists the page as returned, the last claims it: both
/// under the home's lock, which the list belongs to. False if things have changed.
unsafe fn first_or_last(heap: *mut Heap, home: *mut Heap, page: *mut Page, chain: Chain) -> bool {
    // SAFETY: as in `send`.
    unsafe {
        let mut lists = (*home).lists.lock();
        let word = (*page).tally.load();
        if !word.is_full() || (*page).home.load(Ordering::Relaxed) != home as usize {
            return false;
        }
        let total = word.count() + chain.count;
        if total > (*page).capacity {
            drop(lists);
            corrupted(chain.first);
        }
        if total == (*page).capacity {
            if (*page).tally.claim(word).is_err() {
                return false;
            }
            if word.count() > 0 {
                lists.returned.remove(page);
            }
            drop(lists);
            slab::release(page);
            return true;
        }
        if word.count() > 0 || (*page).tally.push(word, chain).is_err() {
            return false;
        }
        lists.returned.push_back(page);
        drop(lists);
        if (*home).dead.load(Ordering::SeqCst) {
            registry::receive(heap, &*home);
        }
        true
    }
}
