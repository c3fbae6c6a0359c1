//! The C names. Thin: each function checks its arguments, calls one of the front, and
//! sets `errno` as glibc does.
//!
//! Every function is called `lohalloc_…` here; `names` makes the standard names aliases
//! of these. The allocating ones are naked, so that they still see the return address
//! and the stack pointer of their call, and hand both on: `site` and `stack`.

mod aligned;
mod entry;
mod family;
mod loader;
mod mallinfo;
mod names;
mod report;
mod sized;
mod tuning;

/// The body of a naked function: goes on at `$to` with two more arguments, the return
/// address and the stack pointer, in the registers named for x86-64 and for aarch64.
#[cfg(target_arch = "x86_64")]
macro_rules! hand_on {
    ($site:literal, $stack:literal, $site_arm:literal, $stack_arm:literal, $to:path) => {
        core::arch::naked_asm!(
            concat!("mov ", $site, ", qword ptr [rsp]"),
            concat!("mov ", $stack, ", rsp"),
            "jmp {to}",
            to = sym $to,
        )
    };
}
#[cfg(target_arch = "aarch64")]
macro_rules! hand_on {
    ($site_x86:literal, $stack_x86:literal, $site:literal, $stack:literal, $to:path) => {
        core::arch::naked_asm!(
            concat!("mov ", $site, ", x30"),
            concat!("mov ", $stack, ", sp"),
            "b {to}",
            to = sym $to,
        )
    };
}
use hand_on;
