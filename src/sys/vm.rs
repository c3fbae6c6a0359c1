//! Virtual memory: reserve, commit, purge, unmap, move.
//!
//! Mappings are private and anonymous, and take memory only where they are touched. A
//! reservation cannot be touched and so counts towards no limit but that of addresses,
//! until parts of it are committed.

use super::auxv::os_page;
#[cfg(not(test))]
use super::syscall::syscall;
use super::syscall::{SYS_madvise, SYS_mmap, SYS_mprotect, SYS_mremap, SYS_munmap};
#[cfg(test)]
use super::wide::syscall;
use crate::base::atomic::{AtomicBool, Ordering};
use crate::base::bits::round_up;

const PROT: usize = (libc::PROT_READ | libc::PROT_WRITE) as usize;
const FLAGS: usize = (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE) as usize;

/// Maps `size` bytes, a multiple of the OS page, anywhere.
fn map_as(size: usize, protection: usize) -> Option<usize> {
    let args = [0, size, protection, FLAGS, usize::MAX, 0];
    // SAFETY: a new mapping where nothing is mapped harms nothing.
    unsafe { syscall(SYS_mmap, args) }.ok()
}

/// Maps `size` bytes of zeroes, a multiple of the OS page, anywhere.
pub fn map(size: usize) -> Option<usize> {
    map_as(size, PROT)
}

/// Maps `size` bytes of zeroes at a multiple of `align`, a power of two.
pub fn map_aligned(size: usize, align: usize) -> Option<usize> {
    aligned(size, align, PROT)
}

/// Reserves `size` bytes of addresses at a multiple of `align`, a power of two.
pub fn reserve(size: usize, align: usize) -> Option<usize> {
    aligned(size, align, libc::PROT_NONE as usize)
}

/// Makes a part of a reservation usable: zeroes. False if a limit forbids it. Where a filter
/// forbids the one call, another does it.
pub fn commit(start: usize, size: usize) -> bool {
    let flags = FLAGS | libc::MAP_FIXED as usize;
    // SAFETY: the caller reserved the range, in which nothing is yet.
    unsafe {
        syscall(SYS_mprotect, [start, size, PROT, 0, 0, 0])
            .or_else(|_| syscall(SYS_mmap, [start, size, PROT, flags, usize::MAX, 0]))
            .is_ok()
    }
}

/// Makes a committed part of a reservation unusable again, and gives its memory back. False if
/// the kernel refuses.
pub fn uncommit(start: usize, size: usize) -> bool {
    let flags = FLAGS | libc::MAP_FIXED as usize;
    let args = [start, size, libc::PROT_NONE as usize, flags, usize::MAX, 0];
    // SAFETY: nobody uses the range, which is the allocator's.
    unsafe { syscall(SYS_mmap, args) }.is_ok()
}

fn aligned(size: usize, align: usize, protection: usize) -> Option<usize> {
    // The kernel places large mappings well on its own more often than not.
    let start = map_as(size, protection)?;
    if start & (align - 1) == 0 {
        return Some(start);
    }
    discard(start, size);
    if align <= os_page() {
        return None;
    }
    let wide = size.checked_add(align - os_page())?;
    let start = map_as(wide, protection)?;
    let aligned = round_up(start, align)?;
    let (before, after) = (aligned - start, start + wide - aligned - size);
    if before > 0 {
        discard(start, before);
    }
    if after > 0 {
        discard(aligned + size, after);
    }
    Some(aligned)
}

/// Gives a mapping back, address space included. False if the kernel refuses: its table
/// of mappings may be full, and a hole would need another entry.
pub fn unmap(start: usize, size: usize) -> bool {
    // SAFETY: the caller gives up memory that the allocator alone knew.
    unsafe { syscall(SYS_munmap, [start, size, 0, 0, 0, 0]) }.is_ok()
}

/// Gives a mapping back, or at least its memory.
pub fn discard(start: usize, size: usize) {
    if !unmap(start, size) {
        purge(start, size);
    }
}

fn advise(start: usize, size: usize, advice: i32) -> bool {
    let args = [start, size, advice as usize, 0, 0, 0];
    // SAFETY: callers advise on the allocator's own memory, and give up what it holds.
    unsafe { syscall(SYS_madvise, args) }.is_ok()
}

/// Gives the memory of whole OS pages back; they read as zero from now on. False if
/// the kernel refuses (locked memory), so that the bytes are still there.
pub fn purge(start: usize, size: usize) -> bool {
    advise(start, size, libc::MADV_DONTNEED)
}

/// Whether the OS page of `address` is mapped. Changes nothing: the advice is the default.
pub fn is_mapped(address: usize) -> bool {
    advise(address & !(os_page() - 1), os_page(), libc::MADV_NORMAL)
}

/// Asks for huge pages; a refusal does no harm.
pub fn want_huge(start: usize, size: usize) {
    advise(start, size, libc::MADV_HUGEPAGE);
}

/// Keeps huge pages away: the kernel would fill what was purged between two OS pages that
/// are in use.
pub fn forbid_huge(start: usize, size: usize) {
    advise(start, size, libc::MADV_NOHUGEPAGE);
}

/// Has the kernel give these OS pages to a copy of the process as zeroes. False if it
/// cannot.
pub fn wipe_in_copies(start: usize, size: usize) -> bool {
    advise(start, size, libc::MADV_WIPEONFORK)
}

/// Whether the kernel has refused a move although there were addresses for it.
static NO_MOVES: AtomicBool = AtomicBool::new(false);

/// Makes a whole mapping `new_size` long; where it has no room, moves its OS pages to a
/// place at a multiple of `align` of which `suits` approves. `None` leaves all as it was.
pub fn remap(
    start: usize,
    size: usize,
    new_size: usize,
    align: usize,
    suits: impl FnOnce(usize) -> bool,
) -> Option<usize> {
    // SAFETY: shrinks or grows a mapping of ours where it stands.
    match unsafe { syscall(SYS_mremap, [start, size, new_size, 0, 0, 0]) } {
        Ok(at) => return Some(at),
        // No room behind it.
        Err(libc::ENOMEM) => {}
        // Not one mapping any more (the program gave advice on a part), or locked.
        Err(_) => return None,
    }
    if NO_MOVES.load(Ordering::Relaxed) {
        return None;
    }
    let to = map_aligned(new_size, align)?;
    if !suits(to) {
        discard(to, new_size);
        return None;
    }
    let how = (libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED) as usize;
    // SAFETY: the target was just mapped by us and holds nothing.
    let moved = unsafe { syscall(SYS_mremap, [start, size, new_size, how, to, 0]) };
    // Where it fails, whether `to` is still ours cannot be told. Its addresses are lost, so
    // this is not tried again.
    if moved.is_err() {
        NO_MOVES.store(true, Ordering::Relaxed);
    }
    moved.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aligned_maps_are_aligned_and_zero() {
        for shift in 16..26 {
            let (size, align) = (256 << 10, 1 << shift);
            let start = map_aligned(size, align).expect("memory");
            assert_eq!(start % align, 0);
            // SAFETY: just mapped.
            unsafe {
                assert_eq!(*(start as *const u64), 0);
                *(start as *mut u64) = 7;
                assert!(purge(start, size));
                assert_eq!(*(start as *const u64), 0);
            }
            assert!(unmap(start, size));
        }
    }

    #[test]
    fn remap_keeps_bytes() {
        let start = map_aligned(1 << 20, 1 << 16).expect("memory");
        // SAFETY: just mapped.
        unsafe { *(start as *mut u64) = 42 };
        let to = remap(start, 1 << 20, 64 << 20, 1 << 16, |_| true).expect("memory");
        assert_eq!(to % (1 << 16), 0);
        // SAFETY: the new place is mapped.
        unsafe { assert_eq!(*(to as *const u64), 42) };
        assert!(unmap(to, 64 << 20));
    }
}
