//! The one word of thread-local storage: the thread's heap.
//!
//! The word is in the static TLS block (initial-exec), so that reading it never calls
//! the loader, and it is small enough for a `dlopen`ed library. It starts as the address
//! of `NO_HEAP`, so a thread without a heap needs no test on the fast path.

use super::heap::{Heap, NO_HEAP, Top};
use core::arch::{asm, global_asm};
use core::ptr::null_mut;

global_asm!(
    ".section .tdata.lohalloc,\"awT\",@progbits",
    ".hidden lohalloc_heap",
    ".globl lohalloc_heap",
    ".type lohalloc_heap,@object",
    ".size lohalloc_heap,8",
    ".p2align 3",
    "lohalloc_heap: .quad {empty}",
    ".text",
    empty = sym NO_HEAP,
);

/// The top of the calling thread's heap, or of `NO_HEAP`.
#[inline(always)]
pub fn top() -> *mut Top {
    let top: *mut Top;
    #[cfg(target_arch = "x86_64")]
    // SAFETY: reads the thread's own word.
    unsafe {
        asm!(
            "mov {top}, qword ptr [rip + lohalloc_heap@GOTTPOFF]",
            "mov {top}, qword ptr fs:[{top}]",
            top = out(reg) top,
            options(pure, readonly, nostack, preserves_flags),
        );
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: reads the thread's own word.
    unsafe {
        asm!(
            "mrs {thread}, tpidr_el0",
            "adrp {top}, :gottprel:lohalloc_heap",
            "ldr {top}, [{top}, #:gottprel_lo12:lohalloc_heap]",
            "ldr {top}, [{thread}, {top}]",
            thread = out(reg) _,
            top = out(reg) top,
            options(pure, readonly, nostack, preserves_flags),
        );
    }
    top
}

/// The calling thread's heap, or null if it has none.
#[inline]
pub fn heap() -> *mut Heap {
    let top = top();
    match top.cast::<Heap>() {
        heap if core::ptr::eq(heap, &raw const NO_HEAP) => null_mut(),
        heap => heap,
    }
}

/// For the shared library, while the process is being relocated: the loader has not filled
/// the word yet.
///
/// cbindgen:ignore
#[cfg(feature = "c-abi")]
#[unsafe(no_mangle)]
extern "C" fn lohalloc_fill_word() {
    if top().is_null() {
        set_heap(null_mut());
    }
}

/// Makes `heap` the calling thread's; null for none.
pub fn set_heap(heap: *mut Heap) {
    let top: *const Heap = match heap {
        heap if heap.is_null() => &raw const NO_HEAP,
        heap => heap,
    };
    #[cfg(target_arch = "x86_64")]
    // SAFETY: writes the thread's own word.
    unsafe {
        asm!(
            "mov {slot}, qword ptr [rip + lohalloc_heap@GOTTPOFF]",
            "mov qword ptr fs:[{slot}], {top}",
            slot = out(reg) _,
            top = in(reg) top,
            options(nostack, preserves_flags),
        );
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: writes the thread's own word.
    unsafe {
        asm!(
            "mrs {thread}, tpidr_el0",
            "adrp {slot}, :gottprel:lohalloc_heap",
            "ldr {slot}, [{slot}, #:gottprel_lo12:lohalloc_heap]",
            "str {top}, [{thread}, {slot}]",
            thread = out(reg) _,
            slot = out(reg) _,
            top = in(reg) top,
            options(nostack, preserves_flags),
        );
    }
}
