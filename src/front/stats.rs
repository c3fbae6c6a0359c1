//! Figures about the whole process.

use super::registry;
use crate::backend::{buddy, budget, large, system};
use crate::base::atomic::Ordering;
use crate::sys::console::{self, Line};
use core::ffi::CStr;
use core::fmt::Write;

/// Figures at one moment; each is exact, their sum may be a moment apart.
pub struct Figures {
    /// Bytes of address space reserved from the system for blocks.
    pub mapped: usize,
    /// Bytes in spans that hold pages or large blocks.
    pub spans: usize,
    /// Bytes that are free and probably resident.
    pub dirty: usize,
    /// Bytes given back to the system since the start.
    pub purged: usize,
    /// Blocks put on free lists, or given out, at refills since the start.
    pub handed: usize,
    /// Slab pages that heaps hold.
    pub pages: usize,
    /// Blocks with a span of their own.
    pub large_blocks: usize,
    /// Blocks with a mapping of their own.
    pub system_blocks: usize,
    pub heaps: usize,
    /// Heaps whose thread has ended.
    pub dead: usize,
}

pub fn figures() -> Figures {
    let (segments, spans, dirty) = buddy::sizes();
    let (own, system_blocks, kept) = system::sizes();
    let (heaps, dead) = registry::counts();
    let count = |f: fn(&super::heap::Heap) -> usize| registry::heaps().map(f).sum();
    Figures {
        mapped: segments + own,
        spans,
        dirty: dirty + kept,
        purged: budget::purged(),
        handed: count(|heap| heap.handed.load(Ordering::Relaxed)),
        pages: count(|heap| heap.pages(&mut heap.lists.lock())),
        large_blocks: large::count(),
        system_blocks,
        heaps,
        dead,
    }
}

/// Writes the figures in one line: to standard error for "1", else to the end of the
/// file of that name.
pub fn write(place: &CStr) {
    let f = figures();
    let mut line = Line::new();
    let _ = writeln!(
        line,
        "lohalloc: served {} blocks, mapped {} KiB, spans {} KiB, dirty {} KiB, purged {} KiB, \
         {} pages, {} system blocks, {} heaps ({} dead)",
        f.handed,
        f.mapped >> 10,
        f.spans >> 10,
        f.dirty >> 10,
        f.purged >> 10,
        f.pages,
        f.system_blocks,
        f.heaps,
        f.dead,
    );
    if place.to_bytes() == b"1" {
        console::write_to(libc::STDERR_FILENO, line.as_bytes());
    } else if !console::append_to(place, line.as_bytes()) {
        console::report(format_args!(
            "cannot write LOHALLOC_STATS to '{}', statistics are lost",
            place.to_str().unwrap_or("(not UTF-8)")
        ));
    }
}
