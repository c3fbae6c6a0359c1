//! What glibc's functions tell of its heap, told of ours.
//!
//! In their words: *arena* is what is held for all blocks but those with a mapping of
//! their own, *uordblks* the part of it that callers have, *fordblks* the rest; *hblkhd*
//! is what has a mapping of its own. Bytes are those of whole blocks. Addresses that are
//! reserved and were never touched are not counted.

use crate::base::class;
use crate::front::census::{Census, Count};
use crate::sys::console::Line;
use core::ffi::c_int;
use core::fmt::{Arguments, Write};

/// glibc's struct, for both types of its fields.
#[repr(C)]
struct Mallinfo<T> {
    arena: T,
    ordblks: T,
    smblks: T,
    hblks: T,
    hblkhd: T,
    usmblks: T,
    fsmblks: T,
    uordblks: T,
    fordblks: T,
    keepcost: T,
}

/// cbindgen:ignore
#[unsafe(no_mangle)]
extern "C" fn lohalloc_mallinfo2() -> Mallinfo<usize> {
    let census = Census::take();
    let used = census.used_bytes();
    let free = census.free_bytes();
    Mallinfo {
        arena: used + free,
        ordblks: census.count_free(),
        smblks: 0,
        hblks: census.system.blocks,
        hblkhd: census.system.bytes,
        usmblks: 0,
        fsmblks: 0,
        uordblks: used,
        fordblks: free,
        keepcost: census.kept,
    }
}

/// What does not fit into an int is the largest int.
///
/// cbindgen:ignore
#[unsafe(no_mangle)]
extern "C" fn lohalloc_mallinfo() -> Mallinfo<c_int> {
    let all = lohalloc_mallinfo2();
    let int = |value: usize| c_int::try_from(value).unwrap_or(c_int::MAX);
    Mallinfo {
        arena: int(all.arena),
        ordblks: int(all.ordblks),
        smblks: int(all.smblks),
        hblks: int(all.hblks),
        hblkhd: int(all.hblkhd),
        usmblks: int(all.usmblks),
        fsmblks: int(all.fsmblks),
        uordblks: int(all.uordblks),
        fordblks: int(all.fordblks),
        keepcost: int(all.keepcost),
    }
}

unsafe extern "C" {
    static stderr: *mut libc::FILE;
}

/// A stream of libc. It may allocate while it is written to: no lock is held then.
struct Stream {
    file: *mut libc::FILE,
    failed: bool,
}

impl Stream {
    /// Writes one line of at most 511 bytes, and its end.
    fn say(&mut self, text: Arguments<'_>) {
        let mut line = Line::new();
        let _ = writeln!(line, "{text}");
        let bytes = line.as_bytes();
        // SAFETY: the caller's stream.
        let written = unsafe { libc::fwrite(bytes.as_ptr().cast(), 1, bytes.len(), self.file) };
        self.failed |= written != bytes.len();
    }

    fn total(&mut self, what: &str, count: Count) {
        let Count { blocks, bytes } = count;
        self.say(format_args!(
            r#"<total type="{what}" count="{blocks}" size="{bytes}"/>"#
        ));
    }

    /// The elements that stand in the heap and, summed up, behind it: the same, since all
    /// threads' pages count as one heap here.
    fn sums(&mut self, census: &Census, mapped: Option<Count>) {
        let held = census.used_bytes() + census.free_bytes();
        let most = census.most_held.max(held);
        self.total("fast", Count::default());
        self.total(
            "rest",
            Count {
                blocks: census.count_free(),
                bytes: census.free_bytes(),
            },
        );
        if let Some(mapped) = mapped {
            self.total("mmap", mapped);
        }
        self.say(format_args!(r#"<system type="current" size="{held}"/>"#));
        self.say(format_args!(r#"<system type="max" size="{most}"/>"#));
        self.say(format_args!(r#"<aspace type="total" size="{held}"/>"#));
        self.say(format_args!(r#"<aspace type="mprotect" size="{held}"/>"#));
    }
}

/// Writes XML as glibc's to a stream. Returns 0; EINVAL for options, of which there are
/// none; EIO if the stream does not take it.
///
/// cbindgen:ignore
#[unsafe(no_mangle)]
unsafe extern "C" fn lohalloc_malloc_info(options: c_int, file: *mut libc::FILE) -> c_int {
    if options != 0 || file.is_null() {
        return libc::EINVAL;
    }
    let census = Census::take();
    let mut out = Stream {
        file,
        failed: false,
    };
    out.say(format_args!(r#"<malloc version="1">"#));
    out.say(format_args!(r#"<heap nr="0">"#));
    out.say(format_args!("<sizes>"));
    let mut from = 1;
    for (class, &count) in census.free.iter().enumerate() {
        let to = class::size_of(class);
        if count > 0 {
            let total = count * to;
            out.say(format_args!(
                r#"  <size from="{from}" to="{to}" total="{total}" count="{count}"/>"#
            ));
        }
        from = to + 1;
    }
    out.say(format_args!("</sizes>"));
    out.sums(&census, None);
    out.say(format_args!("</heap>"));
    out.sums(&census, Some(census.system));
    out.say(format_args!("</malloc>"));
    if out.failed { libc::EIO } else { 0 }
}

/// Writes figures to standard error, as glibc does.
///
/// cbindgen:ignore
#[unsafe(no_mangle)]
extern "C" fn lohalloc_malloc_stats() {
    let census = Census::take();
    let used = census.used_bytes();
    let held = used + census.free_bytes();
    let (mapped, most) = (census.system.bytes, census.most_system);
    let mut out = Stream {
        // SAFETY: libc's variable, which programs set as they set others of their own.
        file: unsafe { stderr },
        failed: false,
    };
    let rows = [
        ("system bytes", held),
        ("in use bytes", used),
        ("system bytes", held + mapped),
        ("in use bytes", used + mapped),
        ("max mmap regions", most.blocks),
        ("max mmap bytes", most.bytes),
    ];
    for (index, (what, value)) in rows.into_iter().enumerate() {
        match index {
            0 => out.say(format_args!("Arena 0:")),
            2 => out.say(format_args!("Total (incl. mmap):")),
            _ => {}
        }
        out.say(format_args!("{what:<17}= {value:>10}"));
    }
}
