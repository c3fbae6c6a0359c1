//! The C names. Thin: each function checks its arguments, calls one of the front, and
//! sets `errno` as glibc does.
//!
//! Every function is called `lohalloc_…` here; `names` makes the standard names aliases
//! of these. The allocating ones are naked, so that they still see the return address, the
//! stack pointer and the frame pointer's register of their call, and hand them on: `site`,
//! `stack` and `frame`.

mod aligned;
mod entry;
mod family;
mod learning;
mod loader;
mod mallinfo;
mod names;
mod report;
mod sized;
mod tuning;

/// The body of a naked function: goes on at `$to` with three more arguments, the return
/// address, the stack pointer and the frame pointer's register, in the registers named for
/// x86-64, and in parentheses for aarch64.
#[cfg(target_arch = "x86_64")]
macro_rules! hand_on {
    ($site:literal, $stack:literal, $frame:literal, $arm:tt, $to:path) => {
        core::arch::naked_asm!(
            concat!("mov ", $site, ", qword ptr [rsp]"),
            concat!("mov ", $stack, ", rsp"),
            concat!("mov ", $frame, ", rbp"),
            "jmp {to}",
            to = sym $to,
        )
    };
}
#[cfg(target_arch = "aarch64")]
macro_rules! hand_on {
    ($s:literal, $t:literal, $f:literal, ($site:literal, $stack:literal, $frame:literal), $to:path) => {
        core::arch::naked_asm!(
            concat!("mov ", $site, ", x30"),
            concat!("mov ", $stack, ", sp"),
            concat!("mov ", $frame, ", x29"),
            "b {to}",
            to = sym $to,
        )
    };
}
use hand_on;
