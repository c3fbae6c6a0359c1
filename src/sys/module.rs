//! Loaded modules: the names behind ours, and whether an address lies in one.

use core::ffi::{CStr, c_void};
use core::mem::MaybeUninit;

/// The next definition of a symbol after this library's, or null. Calls `dlsym`,
/// which allocates: only from a constructor.
pub fn next_symbol(name: &CStr) -> *mut c_void {
    // SAFETY: a search by name.
    unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) }
}

/// Whether `address` lies in a loaded module. Takes the loader's lock: only on the way
/// to an abort, outside every lock.
pub fn holds(address: usize) -> bool {
    let mut info = MaybeUninit::<libc::Dl_info>::uninit();
    // SAFETY: the answer is only asked for, not used.
    unsafe { libc::dladdr(address as *const c_void, info.as_mut_ptr()) != 0 }
}
