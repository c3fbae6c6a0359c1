//! Raw system calls.

use core::arch::asm;

pub use libc::{
    SYS_close, SYS_flock, SYS_fstat, SYS_futex, SYS_getpid, SYS_madvise, SYS_mmap, SYS_mprotect,
    SYS_mremap, SYS_munmap, SYS_nanosleep, SYS_openat, SYS_prctl, SYS_prlimit64, SYS_read,
    SYS_renameat, SYS_rt_sigprocmask, SYS_unlinkat, SYS_write,
};

/// A system call's answer: a value, or an errno.
pub type Answer = Result<usize, i32>;

/// Makes system call `number` with six arguments.
///
/// # Safety
/// As the call itself demands.
#[inline]
pub unsafe fn syscall(number: libc::c_long, args: [usize; 6]) -> Answer {
    let answer: isize;
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the kernel clobbers rcx and r11 only; memory effects are the caller's.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") number as isize => answer,
            in("rdi") args[0],
            in("rsi") args[1],
            in("rdx") args[2],
            in("r10") args[3],
            in("r8") args[4],
            in("r9") args[5],
            lateout("rcx") _,
            lateout("r11") _,
            options(nostack),
        );
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: the kernel clobbers x0 only; memory effects are the caller's.
    unsafe {
        asm!(
            "svc 0",
            in("x8") number,
            inlateout("x0") args[0] as isize => answer,
            in("x1") args[1],
            in("x2") args[2],
            in("x3") args[3],
            in("x4") args[4],
            in("x5") args[5],
            options(nostack),
        );
    }
    if (-4095..0).contains(&answer) {
        Err(-answer as i32)
    } else {
        Ok(answer as usize)
    }
}
