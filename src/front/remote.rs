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
        for at in 0..count {
            if !parcels[at].page.is_null() {
                send_together(heap, &mut parcels[at..count]);
            }
        }
    }
}

/// Sends the first of some chains, and with it all that go to the same mailbox.
///
/// # Safety
/// As `send`, for each chain; places without one have no page.
unsafe fn send_together(heap: *mut Heap, parcels: &mut [Parcel]) {
    // SAFETY: chains keep their pages alive until they are handed over.
    unsafe {
        let Parcel { page, chain } = core::mem::replace(&mut parcels[0], Parcel::NONE);
        let home = (*page).home.load(Ordering::Acquire);
        let same_way = |page: *mut Page| {
            (*page).home.load(Ordering::Acquire) == home && !(*page).tally.load().is_full()
        };
        if home == heap as usize || !same_way(page) {
            return send(heap, page, chain);
        }
        let mut sent = [Parcel::NONE; PARCELS];
        sent[0] = Parcel { page, chain };
        let mut count = 1;
        for parcel in &mut parcels[1..] {
            if !parcel.page.is_null() && same_way(parcel.page) {
                sent[count] = core::mem::replace(parcel, Parcel::NONE);
                count += 1;
            }
        }
        let sent = &mut sent[..count];
        // The chain with the largest blocks comes first: it has room to note the others.
        let size = |parcel: &Parcel| (*parcel.page).block_size();
        let largest = (0..count).max_by_key(|&at| size(&sent[at])).unwrap_or(0);
        sent.swap(0, largest);
        let (head, rest) = sent.split_at(1);
        let head = head[0];
        head.chain
            .note(size(&head), rest.iter().map(|parcel| parcel.chain.first));
        head.chain.seal();
        let mut last = head.chain.last;
        for parcel in rest {
            parcel.chain.note(size(parcel), core::iter::empty());
            parcel.chain.seal();
            (*last).next = parcel.chain.first;
            last = parcel.chain.last;
        }
        let first = head.chain.first;
        post(
            heap,
            home as *mut Heap,
            Chain {
                first,
                last,
                ..chain
            },
        );
    }
}

/// Hands sealed chains to a heap that allocates from their pages.
unsafe fn post(heap: *mut Heap, home: *mut Heap, chains: Chain) {
    // SAFETY: homes are heaps, which stay for ever; the chains are the caller's.
    unsafe {
        (*home).mailbox.push(chains);
        // SeqCst, as the push: see `Mailbox::push`.
        if (*home).dead.load(Ordering::SeqCst) {
            registry::absorb(heap, home);
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
            registry::absorb(heap, home);
        }
        true
    }
}
