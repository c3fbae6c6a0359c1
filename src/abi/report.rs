//! What the library tells of itself, and giving memory back.

use crate::front::{free, purge, stats};
use core::ffi::{c_char, c_int, c_void};

/// No version of the struct is larger, in bytes.
const STRUCT_MAX: usize = 4096;

/// Figures about the whole process, in bytes or counts.
#[repr(C)]
#[allow(non_camel_case_types)]
pub struct lohalloc_stats {
    /// Bytes of address space reserved from the system for blocks.
    pub mapped_bytes: usize,
    /// Bytes in spans that hold live pages or large blocks.
    pub span_bytes: usize,
    /// Bytes that are free and probably resident.
    pub dirty_bytes: usize,
    /// Bytes given back to the system since the start.
    pub purged_bytes: usize,
    /// Blocks put on free lists, or given out, at refills since the start: proof that the
    /// library serves. Calls are not counted.
    pub blocks_handed: usize,
    /// Pages of small blocks that threads' heaps hold.
    pub pages: usize,
    /// Blocks with a span of their own.
    pub large_blocks: usize,
    /// Blocks with a mapping of their own.
    pub system_blocks: usize,
    /// Threads' heaps, those of ended threads included.
    pub heaps: usize,
    /// Heaps whose thread has ended.
    pub heaps_dead: usize,
}

/// The version of the library, such as "0.1.0". A constant string.
#[unsafe(no_mangle)]
pub extern "C" fn lohalloc_version() -> *const c_char {
    const { concat!(env!("CARGO_PKG_VERSION"), "\0") }
        .as_ptr()
        .cast()
}

/// 1 if `address` lies in memory that the library manages for blocks, else 0. Never
/// touches what the address points to. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn lohalloc_owns(address: *const c_void) -> c_int {
    c_int::from(free::owns(address as usize))
}

/// Fills `*out` with figures about the process at this moment. `size` is
/// sizeof(struct lohalloc_stats) as the caller was compiled: later versions add fields at
/// the end.
///
/// Returns 0; EINVAL if `out` is NULL, or `size` 0 or more than any version's struct
/// (4096), and then writes nothing. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lohalloc_stats(out: *mut lohalloc_stats, size: usize) -> c_int {
    if out.is_null() || size == 0 || size > STRUCT_MAX {
        return libc::EINVAL;
    }
    let f = stats::figures();
    let full = lohalloc_stats {
        mapped_bytes: f.mapped,
        span_bytes: f.spans,
        dirty_bytes: f.dirty,
        purged_bytes: f.purged,
        blocks_handed: f.handed,
        pages: f.pages,
        large_blocks: f.large_blocks,
        system_blocks: f.system_blocks,
        heaps: f.heaps,
        heaps_dead: f.dead,
    };
    let known = size.min(size_of::<lohalloc_stats>());
    // SAFETY: the caller says that `size` bytes are there; what we do not know is zero.
    unsafe {
        let bytes = out.cast::<u8>();
        core::ptr::copy_nonoverlapping((&raw const full).cast::<u8>(), bytes, known);
        bytes.add(known).write_bytes(0, size - known);
    }
    0
}

/// Gives free memory back to the system: all that is free in the calling thread's pages, in
/// pages without an owner, in spans and in mappings that were kept. The OS pages of a
/// page in use go back where they hold no block. Other threads do the same for their pages
/// the next time they look for one.
///
/// Returns how many bytes went back. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn lohalloc_purge() -> usize {
    purge::release()
}
