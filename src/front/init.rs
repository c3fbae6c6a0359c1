//! What happens once a process: fork handlers and the key, when the first heap is made;
//! the environment and the allocator behind ours, in the constructor.
//!
//! Everything works before either has happened: all state is const-initialised.

use super::heap::Heap;
use super::{foreign, fork, registry, scavenger, stats, tls};
use crate::base::atomic::{AtomicBool, AtomicU32, Ordering};
use crate::options::{self, Force};
use crate::sys::{auxv, console, copy, limits, stack, thread};

use core::ffi::{c_char, c_int, c_void};

static ENSURED: AtomicBool = AtomicBool::new(false);
/// 0 before there is a key, 1 + the key after; `u32::MAX` if there is none to be had.
static KEY: AtomicU32 = AtomicU32::new(0);
const NO_KEY: u32 = u32::MAX;

/// Registers the handlers, once. The calling thread has a heap and holds no lock: libc
/// may allocate.
pub fn ensure() {
    if ENSURED.swap(true, Ordering::Relaxed) {
        return;
    }
    thread::at_fork(fork::prepare, fork::parent, fork::child);
    let key = thread::make_key(thread_ends).map_or(NO_KEY, |key| key + 1);
    KEY.store(key, Ordering::Release);
}

/// Has the thread lay its heap down when it ends.
pub fn mark_thread(heap: *mut Heap) {
    match KEY.load(Ordering::Acquire) {
        0 | NO_KEY => {}
        key => thread::set_key(key - 1, heap.cast()),
    }
}

unsafe extern "C" fn thread_ends(_: *mut c_void) {
    registry::lay_down();
}

unsafe extern "C" {
    static environ: *const *const c_char;
}

/// The constructor. `environment` is the process's, where libc hands it over: glibc does.
unsafe extern "C" fn start(
    _count: c_int,
    _arguments: *const *const c_char,
    environment: *const *const c_char,
) {
    copy::watch(fork::recover);
    let environment = match cfg!(target_env = "gnu") {
        true => environment,
        // SAFETY: libc's variable, while no other thread runs.
        false => unsafe { environ },
    };
    // SAFETY: the promise of the loader, or of libc.
    unsafe { options::read(environment) };
    stack::note_first_thread();
    if cfg!(feature = "c-abi") {
        foreign::find_next();
    }
    // A heap that was made before the options were known.
    let heap = tls::heap();
    if !matches!(options::force(), Force::None | Force::Slab) && !heap.is_null() {
        // SAFETY: the heap is the calling thread's.
        unsafe { (*heap).close_fast_path(&mut (*heap).lists.lock()) };
    }
    scavenger::want();
    super::learn::begin();
    if options::verbose() {
        say_hello();
    }
}

fn say_hello() {
    let force = match options::force() {
        Force::None => "untrained",
        Force::Slab => "force:slab",
        Force::Buddy => "force:buddy",
        Force::System => "force:system",
        Force::Arena => "force:arena",
    };
    console::report_plain(format_args!(
        "lohalloc {}: {force}; OS page {} bytes; limits: {}",
        crate::VERSION,
        auxv::os_page(),
        limits::All,
    ));
}

/// The destructor: writes statistics if asked, and changes nothing.
unsafe extern "C" fn finish() {
    super::learn::end();
    if let Some(place) = options::stats() {
        stats::write(place);
    }
}

#[used]
#[unsafe(link_section = ".init_array")]
static START: unsafe extern "C" fn(c_int, *const *const c_char, *const *const c_char) = start;
#[used]
#[unsafe(link_section = ".fini_array")]
static FINISH: unsafe extern "C" fn() = finish;
