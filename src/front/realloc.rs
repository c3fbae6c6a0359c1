//! Changing the size of a block: in place where it can be, by moving OS pages where the
//! block is huge, else by a copy.

use super::call::Call;
use super::free::{free, usable_size};
use super::{alloc, arena, sampler};
use crate::backend::{large, system};
use crate::map::{self, Kind};
use crate::options::{self, Force};

/// A block that grows to this size gets a span of its own: only what is touched of a
/// span costs memory, and there it can go on growing without a copy.
const GROW: usize = 16 << 10;

/// Free room that is looked for behind a block that grows, at least.
const ROOM: usize = 512 << 10;

/// Makes a block `size` bytes long; its bytes up to the smaller size stay. Null leaves
/// the block as it was. `None` for a pointer that is not ours.
///
/// # Safety
/// The block is in the caller's hands, and not null; `size` is not 0.
pub unsafe fn realloc(pointer: *mut u8, size: usize, call: &Call) -> Option<*mut u8> {
    // SAFETY: the block is the caller's.
    unsafe {
        if stays(pointer, size) {
            return Some(pointer);
        }
        let old = usable_size(pointer, "realloc")?;
        if let Some(block) = in_place(pointer, old, size) {
            return Some(block);
        }
        let new = if size > old {
            sampler::grew(map::header(pointer as usize), pointer);
            grown(old, size, call)
        } else {
            alloc::alloc(size, call)
        };
        if new.is_null() && size <= old {
            // What is too long serves as well.
            return Some(pointer);
        }
        if !new.is_null() {
            core::ptr::copy_nonoverlapping(pointer, new, old.min(size));
            free(pointer);
        }
        Some(new)
    }
}

/// Lengthens a large block that keeps its slices, as most that grow step by step do.
#[inline(always)]
unsafe fn stays(pointer: *mut u8, size: usize) -> bool {
    let page = map::header(pointer as usize);
    // SAFETY: the page of the caller's block.
    unsafe {
        (*page).kind == Kind::Large
            && (*page).base == pointer as usize
            && !(*page).kept
            && size >= (*page).size
            && large::fit(page, size)
    }
}

/// Resizes without a copy, if the backend of the block can.
#[inline(always)]
unsafe fn in_place(pointer: *mut u8, old: usize, size: usize) -> Option<*mut u8> {
    let page = map::header(pointer as usize);
    // SAFETY: the page of the caller's block.
    unsafe {
        match (*page).kind {
            Kind::Large if size >= GROW => {
                let had = pointer as usize + old;
                let done = large::resize(page, size);
                if done && size < old {
                    large::purge_tail(pointer as usize + size, had.min(large::end(page)));
                }
                done.then_some(pointer)
            }
            Kind::System if size > large::LARGE_MAX / 2 => {
                system::resize(page, size).map(|to| to as *mut u8)
            }
            Kind::Arena if arena::resize(page, pointer, size) => Some(pointer),
            // A block that is at least half used stays.
            _ if size <= old && size >= old / 2 => {
                if old - size >= large::TAIL {
                    large::purge_tail(pointer as usize + size, pointer as usize + old);
                }
                Some(pointer)
            }
            _ => None,
        }
    }
}

/// A new place for a block that grows from `old` to `size` bytes: a span with free
/// slices behind it, so that it goes on growing where it stands.
fn grown(old: usize, size: usize, call: &Call) -> *mut u8 {
    if size < GROW || old < GROW / 4 || size > large::LARGE_MAX || options::force() != Force::None {
        return alloc::alloc(size, call);
    }
    let room = (4 * size).max(ROOM);
    let page = alloc::from_shelf(size, large::holds)
        .or_else(|| large::alloc_with_room(size, 16, room).map(|(page, _)| page));
    match page {
        Some(page) => {
            // SAFETY: the block is ours; it only gets shorter.
            unsafe {
                large::resize(page, size);
                (*page).base as *mut u8
            }
        }
        None => alloc::alloc(size, call),
    }
}
