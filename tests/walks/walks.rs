//! Preloaded, it walks from each malloc, calloc and realloc of a program, as the library would, and compares what
//! it finds with `_Unwind_Backtrace`. At exit a line is added to the file that WALKS names.

#![allow(dead_code, unused_imports)]

#[path = "../../src/base/mod.rs"]
mod base;
#[path = "../../src/sys/mod.rs"]
mod sys;
#[path = "../../src/topology/mod.rs"]
mod topology;

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::fs::OpenOptions;
use std::io::Write;
use std::mem::transmute;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering::Relaxed};

use topology::frames::{FRAMES as DEPTH, Walk};
use topology::points;

thread_local! {
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Between the constructor and the end: before it, libgcc may not be ready.
static ACTIVE: AtomicBool = AtomicBool::new(false);

struct Counts {
    calls: AtomicU64,
    /// All three return addresses are the same.
    same: AtomicU64,
    /// The walk ends before libgcc's; what it found is right.
    shorter: AtomicU64,
    /// It goes on where libgcc ends.
    longer: AtomicU64,
    different: AtomicU64,
    /// Return addresses that were found, and those at a constant distance.
    steps: AtomicU64,
    constant: AtomicU64,
}

static COUNTS: Counts = Counts {
    calls: AtomicU64::new(0),
    same: AtomicU64::new(0),
    shorter: AtomicU64::new(0),
    longer: AtomicU64::new(0),
    different: AtomicU64::new(0),
    steps: AtomicU64::new(0),
    constant: AtomicU64::new(0),
};

unsafe extern "C" {
    // The second argument is one that malloc does not look at.
    fn __libc_malloc(size: usize, _unused: usize) -> *mut c_void;
    fn __libc_calloc(count: usize, size: usize) -> *mut c_void;
    fn __libc_realloc(block: usize, size: usize) -> *mut c_void;
    fn _Unwind_Backtrace(
        visit: unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int,
        data: *mut c_void,
    ) -> c_int;
    fn _Unwind_GetIP(context: *mut c_void) -> usize;
}

macro_rules! entry {
    ($name:ident, $real:ident) => {
        /// # Safety
        /// As C's.
        #[unsafe(naked)]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(_first: usize, _second: usize) -> *mut c_void {
            unsafe extern "C" fn observe(
                first: usize,
                second: usize,
                site: usize,
                stack: usize,
                frame: usize,
            ) -> *mut c_void {
                if ACTIVE.load(Relaxed) && !INSIDE.replace(true) {
                    // SAFETY: the call is under way, and these are its registers.
                    unsafe { compare(site, stack, frame) };
                    INSIDE.set(false);
                }
                // SAFETY: the call's own arguments.
                unsafe { $real(first, second) }
            }
            #[cfg(target_arch = "x86_64")]
            std::arch::naked_asm!(
                "mov rdx, qword ptr [rsp]",
                "mov rcx, rsp",
                "mov r8, rbp",
                "jmp {observe}",
                observe = sym observe,
            );
            #[cfg(target_arch = "aarch64")]
            std::arch::naked_asm!(
                "mov x2, x30",
                "mov x3, sp",
                "mov x4, x29",
                "b {observe}",
                observe = sym observe,
            );
        }
    };
}

entry!(malloc, __libc_malloc);
entry!(calloc, __libc_calloc);
entry!(realloc, __libc_realloc);

struct Above {
    site: usize,
    /// `None` until the site has come by.
    count: Option<usize>,
    found: [usize; DEPTH],
}

unsafe extern "C" fn visit(context: *mut c_void, data: *mut c_void) -> c_int {
    // SAFETY: `compare` hands over its state.
    let (above, address) = unsafe { (&mut *data.cast::<Above>(), _Unwind_GetIP(context)) };
    match above.count {
        None if address == above.site => above.count = Some(0),
        Some(count) if count < DEPTH => {
            above.found[count] = address;
            above.count = Some(count + 1);
        }
        Some(_) => return 5,
        None => {}
    }
    0
}

unsafe fn compare(site: usize, stack: usize, frame: usize) {
    let (mut walked, mut constant) = ([0; DEPTH], 0);
    let mut walk = Walk::new(stack, frame);
    let mut at = points::point(site);
    for address in &mut walked {
        // SAFETY: the call is under way, and the walk has come to `at`.
        let Some(step) = (unsafe { walk.step(&at) }) else {
            break;
        };
        *address = step.site;
        constant += u64::from(step.distance.is_some());
        at = points::point(step.site);
    }
    let mut above = Above {
        site,
        count: None,
        found: [0; DEPTH],
    };
    // SAFETY: `visit` is handed what it expects.
    unsafe { _Unwind_Backtrace(visit, (&raw mut above).cast()) };

    let length = |found: &[usize; DEPTH]| found.iter().take_while(|&&a| a != 0).count();
    let (ours, theirs) = (length(&walked), length(&above.found));
    let common = ours.min(theirs);
    let which = if walked[..common] != above.found[..common] {
        &COUNTS.different
    } else if ours == theirs {
        &COUNTS.same
    } else if ours < theirs {
        &COUNTS.shorter
    } else {
        &COUNTS.longer
    };
    which.fetch_add(1, Relaxed);
    COUNTS.calls.fetch_add(1, Relaxed);
    COUNTS.steps.fetch_add(ours as u64, Relaxed);
    COUNTS.constant.fetch_add(constant, Relaxed);
}

/// # Safety
/// As C's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dlclose(handle: *mut c_void) -> c_int {
    static NEXT: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
    if NEXT.load(Relaxed).is_null() {
        NEXT.store(sys::module::next_symbol(c"dlclose"), Relaxed);
    }
    // SAFETY: the real one, with the caller's argument.
    let answer = unsafe {
        let next: unsafe extern "C" fn(*mut c_void) -> c_int = transmute(NEXT.load(Relaxed));
        next(handle)
    };
    points::forget();
    answer
}

extern "C" fn begin() {
    sys::module::prepare();
    ACTIVE.store(true, Relaxed);
}

extern "C" fn end() {
    ACTIVE.store(false, Relaxed);
    let Some(path) = std::env::var_os("WALKS") else {
        return;
    };
    let name = std::fs::read_to_string("/proc/self/comm").unwrap_or_default();
    let get = |count: &AtomicU64| count.load(Relaxed);
    let line = format!(
        "{} {} {} {} {} {} {} {}\n",
        name.trim().replace(' ', "_"),
        get(&COUNTS.calls),
        get(&COUNTS.same),
        get(&COUNTS.shorter),
        get(&COUNTS.longer),
        get(&COUNTS.different),
        get(&COUNTS.steps),
        get(&COUNTS.constant),
    );
    if let Ok(mut file) = OpenOptions::new().append(true).create(true).open(path) {
        let _ = file.write_all(line.as_bytes());
    }
}

#[used]
#[unsafe(link_section = ".init_array")]
static BEGIN: extern "C" fn() = begin;
#[used]
#[unsafe(link_section = ".fini_array")]
static END: extern "C" fn() = end;
