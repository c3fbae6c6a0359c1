//! What the kernel told the process at its start.

use crate::base::atomic::{AtomicUsize, Ordering};

static OS_PAGE: AtomicUsize = AtomicUsize::new(0);

/// The size of an OS page in bytes: 4, 16 or 64 KiB.
#[inline]
pub fn os_page() -> usize {
    match OS_PAGE.load(Ordering::Relaxed) {
        0 => ask_os_page(),
        size => size,
    }
}

#[cold]
fn ask_os_page() -> usize {
    // SAFETY: getauxval reads a table that never changes.
    let size = unsafe { libc::getauxval(libc::AT_PAGESZ) } as usize;
    let size = if size.is_power_of_two() { size } else { 4096 };
    OS_PAGE.store(size, Ordering::Relaxed);
    size
}

/// As if the kernel had OS pages of `size` bytes: before anything is mapped.
#[cfg(test)]
pub fn pretend_os_page(size: usize) {
    OS_PAGE.store(size, Ordering::Relaxed);
}

/// Whether the process runs with another's rights (set-uid and its like), so that its
/// environment must not be believed.
pub fn secure() -> bool {
    // SAFETY: as above.
    unsafe { libc::getauxval(libc::AT_SECURE) != 0 }
}

/// An address in the program's own module.
pub fn program() -> usize {
    // SAFETY: as above.
    unsafe { libc::getauxval(libc::AT_PHDR) as usize }
}
