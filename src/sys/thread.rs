//! Threads: who runs, who has ended, and starting one.

use super::syscall::{SYS_nanosleep, SYS_prctl, SYS_rt_sigprocmask, syscall};
use core::arch::asm;
use core::cell::UnsafeCell;
use core::ffi::{CStr, c_void};
use core::mem::MaybeUninit;
use core::ptr::null_mut;

/// The address of the calling thread's control block: unlike any other *living* thread's.
#[inline(always)]
pub fn pointer() -> usize {
    let pointer: usize;
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the first word of the thread control block is its own address.
    unsafe {
        asm!("mov {}, qword ptr fs:[0]", out(reg) pointer, options(pure, readonly, nostack, preserves_flags));
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: reads a register.
    unsafe {
        asm!("mrs {}, tpidr_el0", out(reg) pointer, options(pure, nomem, nostack, preserves_flags));
    }
    pointer
}

/// A mutex that its holder keeps for life: the kernel marks it when the thread ends,
/// in whatever way it ends.
pub struct Life {
    mutex: UnsafeCell<MaybeUninit<libc::pthread_mutex_t>>,
}

impl Life {
    pub const fn new() -> Self {
        Life {
            mutex: UnsafeCell::new(MaybeUninit::uninit()),
        }
    }

    fn raw(&self) -> *mut libc::pthread_mutex_t {
        self.mutex.get().cast()
    }

    /// Makes the mutex anew, held by nobody: for a heap that nobody else knows, and in a
    /// fork child, where the holders are gone.
    pub fn renew(&self) {
        // SAFETY: nobody else uses the mutex.
        unsafe {
            let mut attr = MaybeUninit::uninit();
            libc::pthread_mutexattr_init(attr.as_mut_ptr());
            libc::pthread_mutexattr_setrobust(attr.as_mut_ptr(), libc::PTHREAD_MUTEX_ROBUST);
            libc::pthread_mutex_init(self.raw(), attr.as_ptr());
            libc::pthread_mutexattr_destroy(attr.as_mut_ptr());
        }
    }

    /// The calling thread takes it up, for as long as it lives.
    pub fn begin(&self) {
        // SAFETY: the mutex was initialised by `renew`.
        unsafe {
            if libc::pthread_mutex_lock(self.raw()) == libc::EOWNERDEAD {
                libc::pthread_mutex_consistent(self.raw());
            }
        }
    }

    /// Lays it down: the holder ends in good order.
    pub fn end(&self) {
        // SAFETY: the calling thread holds it.
        unsafe { libc::pthread_mutex_unlock(self.raw()) };
    }

    /// Whether the holder has ended without laying it down. If so it is laid down now.
    pub fn ended(&self) -> bool {
        // SAFETY: the mutex was initialised by `renew`.
        unsafe {
            let answer = libc::pthread_mutex_trylock(self.raw());
            if answer == libc::EOWNERDEAD {
                libc::pthread_mutex_consistent(self.raw());
            }
            if answer == 0 || answer == libc::EOWNERDEAD {
                libc::pthread_mutex_unlock(self.raw());
            }
            answer == libc::EOWNERDEAD
        }
    }
}

/// Makes a key whose `at_end` is called when a thread ends that has set it. `None` if
/// the process has used up its keys.
pub fn make_key(at_end: unsafe extern "C" fn(*mut libc::c_void)) -> Option<u32> {
    let mut key = 0;
    // SAFETY: the key is written before it is read.
    let answer = unsafe { libc::pthread_key_create(&mut key, Some(at_end)) };
    (answer == 0).then_some(key)
}

/// Sets a key for the calling thread. libc may allocate here.
pub fn set_key(key: u32, value: *const libc::c_void) {
    // SAFETY: the key exists.
    unsafe { libc::pthread_setspecific(key, value) };
}

/// Has the three called before a fork, and after it in parent and child.
pub fn at_fork(
    prepare: unsafe extern "C" fn(),
    parent: unsafe extern "C" fn(),
    child: unsafe extern "C" fn(),
) {
    // SAFETY: the handlers are functions of this library, which is never unloaded.
    unsafe { libc::pthread_atfork(Some(prepare), Some(parent), Some(child)) };
}

/// The stack of a thread of ours: besides it holds the program's thread-local storage.
const STACK: usize = 128 << 10;
/// All signals but those that libc uses between its threads.
const SIGNALS: u64 = !(0b111 << 31);

/// Starts a thread that runs `body` for as long as the process lives, with all signals
/// blocked. False if it cannot be had. libc may allocate here; `errno` is left alone.
pub fn spawn(body: extern "C" fn(*mut c_void) -> *mut c_void) -> bool {
    let (all, mut old) = (SIGNALS, 0u64);
    // SAFETY: the attributes are written before they are used, and `body` takes no argument.
    // A new thread has its creator's mask, which is then put back.
    unsafe {
        let errno = *libc::__errno_location();
        let mask = |set: *const u64, old: *mut u64| {
            let how = libc::SIG_SETMASK as usize;
            let args = [how, set as usize, old as usize, size_of::<u64>(), 0, 0];
            syscall(SYS_rt_sigprocmask, args).is_ok()
        };
        let mut attr = MaybeUninit::uninit();
        libc::pthread_attr_init(attr.as_mut_ptr());
        libc::pthread_attr_setdetachstate(attr.as_mut_ptr(), libc::PTHREAD_CREATE_DETACHED);
        libc::pthread_attr_setstacksize(attr.as_mut_ptr(), STACK);
        let mut thread = 0;
        let masked = mask(&all, &mut old);
        let answer = libc::pthread_create(&mut thread, attr.as_ptr(), body, null_mut());
        if masked {
            mask(&old, null_mut());
        }
        libc::pthread_attr_destroy(attr.as_mut_ptr());
        *libc::__errno_location() = errno;
        answer == 0
    }
}

/// Names the calling thread; at most 15 bytes are seen.
pub fn set_name(name: &CStr) {
    let args = [
        libc::PR_SET_NAME as usize,
        name.as_ptr() as usize,
        0,
        0,
        0,
        0,
    ];
    // SAFETY: reads the name.
    let _ = unsafe { syscall(SYS_prctl, args) };
}

/// The calling thread sleeps for about so many milliseconds.
pub fn sleep(milliseconds: usize) {
    let time = libc::timespec {
        tv_sec: (milliseconds / 1000) as libc::time_t,
        tv_nsec: (milliseconds % 1000 * 1_000_000) as libc::c_long,
    };
    // SAFETY: reads the time.
    let _ = unsafe { syscall(SYS_nanosleep, [&raw const time as usize, 0, 0, 0, 0, 0]) };
}

/// Sets the calling thread's `errno`.
#[inline]
pub fn set_errno(value: i32) {
    // SAFETY: libc answers a valid address.
    unsafe { *libc::__errno_location() = value };
}
