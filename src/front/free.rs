//! Freeing, and what a pointer says about its block.

use super::heap::Heap;
use super::{alloc, arena, foreign, purge, registry, remote, sampler, tls};
use crate::backend::{slab, system};
use crate::base::atomic::Ordering;
use crate::base::block::Block;
use crate::map::{self, COLD, Kind, Page};
use crate::sys::console;

/// Frees a block; null does nothing. A pointer that is no block ends the process with a
/// line that says so, where a look at the page map or at the block can tell.
///
/// # Safety
/// The block, if it is one, is in the caller's hands.
#[inline(always)]
pub unsafe fn free(pointer: *mut u8) {
    let page = map::header(pointer as usize);
    let block = pointer.cast::<Block>();
    // SAFETY: a page that is in the map and owned by this thread's heap stays; the block
    // is one of its blocks.
    unsafe {
        let owner = (*page).owner.load(Ordering::Relaxed);
        let heap = tls::top() as usize;
        // The last freed block of a cold page, the key of another: see `COLD`.
        let looks_used = match owner {
            owner if owner == heap => (*block).key != page as usize,
            owner if owner == heap | COLD => (*page).free != block,
            _ => return elsewhere(pointer, page),
        };
        if looks_used && (*page).starts_block(pointer as usize) {
            if slab::push(page, block) {
                emptied(page);
            }
        } else {
            slow(pointer);
        }
    }
}

/// The blocks out of a page have come down to none, or to few: see `Page::bias`.
///
/// # Safety
/// The calling thread's heap owns the page.
#[cold]
#[inline(never)]
pub unsafe extern "C" fn emptied(page: *mut Page) {
    let heap = tls::heap();
    // SAFETY: the page is owned by this thread's heap.
    unsafe {
        (*heap).emptied(&mut (*heap).lists.lock(), page);
        purge::obey(heap);
    }
}

/// Frees a block of a page that the calling thread's heap does not own. Most join a chain
/// that is begun.
///
/// # Safety
/// As `free`; the header is the block's.
pub unsafe extern "C" fn elsewhere(pointer: *mut u8, page: *mut Page) {
    // SAFETY: the outbox is the calling thread's, or that of `NO_HEAP`, which never has a
    // chain. An open chain is of a slab page, and keeps it.
    unsafe {
        let outbox = (*tls::top().cast::<Heap>()).outbox.get();
        let starts = (*page).starts_block(pointer as usize);
        if !(starts && (*outbox).add_more(page, pointer.cast())) {
            slow(pointer);
        }
    }
}

/// Frees where the fast path does not: null, large blocks, other heaps' blocks, misuse.
///
/// # Safety
/// As `free`.
#[inline(never)]
pub unsafe extern "C" fn slow(pointer: *mut u8) {
    let page = map::header(pointer as usize);
    // SAFETY: the map leads to a valid header; the block is the caller's.
    unsafe {
        if (*page).kind == Kind::Slab {
            free_small(page, pointer);
        } else if !pointer.is_null() {
            free_other(page, pointer);
        }
    }
}

/// Frees what is no block of a slab page.
#[inline(never)]
unsafe fn free_other(page: *mut Page, pointer: *mut u8) {
    // SAFETY: as in `slow`.
    unsafe {
        if (*page).kind == Kind::Free {
            return foreign::free(pointer);
        }
        if (*page).kind == Kind::Arena {
            return arena::free(page, pointer);
        }
        demand_start(page, pointer, "free");
        if (*page).kind == Kind::Sampled {
            let block = pointer.cast::<Block>();
            if (*block).key == page as usize && was_freed(tls::heap(), page, block) {
                double_free(pointer, (*page).block_size());
            }
            return sampler::free(tls::heap(), page, block);
        }
        if (*page).kept {
            double_free(pointer, (*page).size);
        }
        sampler::unmark(tls::heap(), page);
        if (*page).kind == Kind::Large {
            alloc::shelve(registry::heap(), page);
        } else {
            system::free(page);
        }
    }
}

#[inline(always)]
unsafe fn free_small(page: *mut Page, pointer: *mut u8) {
    let heap = registry::heap();
    let block = pointer.cast::<Block>();
    // SAFETY: as in `slow`.
    unsafe {
        demand_start(page, pointer, "free");
        if looks_freed(heap, page, block) && was_freed(heap, page, block)
            || slab::holes::covers(page, pointer as usize)
        {
            double_free(pointer, (*page).block_size());
        }
        if !heap.is_null() && (*page).is_owned_by(heap as usize) {
            if slab::push(page, block) {
                emptied(page);
            }
            return;
        }
        remote::free(heap, page, block);
    }
}

/// Whether a block may have been freed before. Of cold pages the key is not looked at,
/// see `COLD`, nor is the list of another heap, which changes all the time.
#[inline]
unsafe fn looks_freed(heap: *mut Heap, page: *mut Page, block: *mut Block) -> bool {
    // SAFETY: the page is in the map, the block in it.
    unsafe {
        if (*page).cold {
            (*page).is_owned_by(heap as usize) && (*page).free == block
        } else {
            (*block).key == page as usize
        }
    }
}

/// Whether a block that looks freed can be found among the free ones.
///
/// Another heap's free list is looked at while it may change. A block in use cannot be
/// found there, so at worst a double free goes unnoticed.
#[cold]
unsafe fn was_freed(heap: *mut Heap, page: *mut Page, block: *mut Block) -> bool {
    // SAFETY: our outbox and mailbox are ours. The tally's chain and another heap's list
    // are walked within the page, whose memory stays while it is in the map.
    unsafe {
        if let Some(h) = heap.as_ref() {
            if (*h.outbox.get()).holds(page, block) {
                return true;
            }
            if (*page).is_owned_by(heap as usize) {
                let strays = h.collect(&mut h.lists.lock());
                remote::send_all(heap, strays);
                return slab::is_free(page, block);
            }
        }
        let word = (*page).tally.load();
        if word.is_full() {
            slab::leads_to(page, word.head(), block)
        } else {
            slab::leads_to(page, (&raw const (*page).free).read_volatile(), block)
        }
    }
}

/// Ends the process if `pointer` is not the start of a block of `page`.
unsafe fn demand_start(page: *mut Page, pointer: *mut u8, what: &str) {
    let address = pointer as usize;
    // SAFETY: a valid header.
    let page = unsafe { &*page };
    let (start, size) = if page.kind.has_equal_blocks() {
        if page.starts_block(address) {
            return;
        }
        let size = page.block_size();
        (page.block_around(address).unwrap_or(page.base), size)
    } else {
        if address == page.base {
            return;
        }
        (page.base, page.size)
    };
    inside(what, address, start, size);
}

/// Ends the process if a block that is about to be freed cannot be one of `size` bytes at
/// a multiple of `align`: it is too short, or lies elsewhere. A block that is longer may
/// have been made shorter where it stood.
///
/// # Safety
/// As `free`.
pub unsafe fn demand_fit(pointer: *mut u8, align: usize, size: usize) {
    let page = map::lookup(pointer as usize);
    if page.is_null() {
        return;
    }
    // SAFETY: the map leads to a valid header.
    let has = unsafe {
        match (*page).kind {
            Kind::Slab | Kind::Sampled => (*page).block_size(),
            Kind::Arena => arena::usable_size(page, pointer, "free"),
            _ => (*page).size,
        }
    };
    let address = pointer as usize;
    if size > has {
        console::die(format_args!(
            "free of {address:#x} as {size} bytes, which is a block of {has} bytes"
        ));
    }
    if align.is_power_of_two() && !address.is_multiple_of(align) {
        console::die(format_args!(
            "free of {address:#x} as aligned to {align}, which it is not"
        ));
    }
}

/// Bytes the caller may use of a block; 0 for null. `what` names the function for a
/// report of misuse.
///
/// # Safety
/// The block is in the caller's hands.
#[inline]
pub unsafe fn usable_size(pointer: *mut u8, what: &str) -> Option<usize> {
    let page = map::lookup(pointer as usize);
    if page.is_null() {
        return None;
    }
    // SAFETY: the map leads to a valid header.
    unsafe {
        if (*page).kind == Kind::Arena {
            return Some(arena::usable_size(page, pointer, what));
        }
        demand_start(page, pointer, what);
        match (*page).kind {
            Kind::Slab | Kind::Sampled => {
                let block = pointer.cast::<Block>();
                if (*block).key == page as usize && was_freed(tls::heap(), page, block)
                    || slab::holes::covers(page, pointer as usize)
                {
                    freed(what, pointer);
                }
                Some((*page).block_size())
            }
            _ if (*page).kept => freed(what, pointer),
            _ => Some((*page).size),
        }
    }
}

#[cold]
pub fn freed(what: &str, pointer: *mut u8) -> ! {
    console::die(format_args!(
        "{what} of {:#x}, which is free",
        pointer as usize
    ))
}

/// Whether `address` lies in memory that is managed here.
pub fn owns(address: usize) -> bool {
    !map::lookup(address).is_null() || !system::around(address).is_null()
}

#[cold]
pub fn inside(what: &str, address: usize, start: usize, size: usize) -> ! {
    console::die(format_args!(
        "{what} of {address:#x}, which is inside a block of {size} bytes that starts at {start:#x}"
    ))
}

#[cold]
pub fn double_free(pointer: *mut u8, size: usize) -> ! {
    console::die(format_args!(
        "double free of {:#x} (block of {size} bytes)",
        pointer as usize
    ))
}

/// A block on a free list has lost its key, or a list leads to something that is no block.
#[cold]
pub fn corrupted(block: *mut Block) -> ! {
    console::die(format_args!(
        "the free block {:#x} was written to, or freed twice",
        block as usize
    ))
}
