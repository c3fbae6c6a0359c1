//! For tests: a kernel whose OS pages may be wider than those of the kernel at hand.

use super::auxv::os_page;
use super::syscall::{self, Answer, SYS_mmap, SYS_munmap};

/// As `syscall`, for calls on a range of memory: places new mappings as such a kernel does, and
/// insists on whole OS pages.
///
/// # Safety
/// As the call itself demands.
pub unsafe fn syscall(number: libc::c_long, args: [usize; 6]) -> Answer {
    let ([start, size, ..], page) = (args, os_page());
    assert!(
        start.is_multiple_of(page) && size.is_multiple_of(page),
        "call {number} on {size} bytes at {start:#x} with OS pages of {page}"
    );
    // SAFETY: as the caller says; what is unmapped here has just been mapped.
    unsafe {
        if number != SYS_mmap || start != 0 || page == 4096 {
            return syscall::syscall(number, args);
        }
        let mut wide = args;
        wide[1] += page;
        let from = syscall::syscall(number, wide)?;
        let at = from.next_multiple_of(page);
        for (start, end) in [(from, at), (at + size, from + size + page)] {
            if start < end {
                syscall::syscall(SYS_munmap, [start, end - start, 0, 0, 0, 0])?;
            }
        }
        Ok(at)
    }
}
