//! # Lohalloc
//!
//! A malloc replacement: preloaded into unmodified programs, linked into C and C++
//! programs, or the global allocator of a Rust program.
//!
//! ```
//! #[global_allocator]
//! static ALLOCATOR: lohalloc::Lohalloc = lohalloc::Lohalloc;
//! # fn main() {}
//! ```
//!
//! ## Layers
//! Each names only those above it in this list.
//!
//! | module | what it is |
//! |---|---|
//! | `base` | size classes, bitmap, mailbox, tally, record of a chunk, the door to atomics: pure |
//! | `sys` | the only contact with the operating system |
//! | `options` | what the environment may say, one table |
//! | `map` | the page map: address → page header |
//! | `backend` | system → buddy → slab and arena, and large blocks |
//! | `topology` | beside these, on `base` and `sys`: a call's context, by unwind tables |
//! | `decision` | beside these: samples, what follows from them, models |
//! | `front` | thread heaps, alloc, free, remote free, realloc, fork; see its README |
//! | `global` | `GlobalAlloc` |
//! | `abi` | the C names (feature `c-abi`) |
//! | `tools` | models, for the command line (feature `tools`) |
//!
//! An address leads to its page's header through the page map alone; the header names the
//! heap that owns the page; only that heap's thread touches the page's free list. What
//! others free goes through the heap's mailbox, or, while a page is full and nobody's,
//! through the page's tally. A block of an arena is freed by atomics alone, by whoever frees it.

#![no_std]
// Some of what the C names need is used by nothing else.
#![cfg_attr(any(test, not(feature = "c-abi")), allow(dead_code))]

#[cfg(any(test, not(feature = "c-abi")))]
extern crate std;

#[cfg(all(feature = "c-abi", not(test), not(loom)))]
mod abi;
#[cfg(not(loom))]
mod backend;
mod base;
#[cfg(not(loom))]
mod decision;
#[cfg(not(loom))]
mod front;
#[cfg(not(loom))]
mod global;
#[cfg(not(loom))]
mod map;
#[cfg(not(loom))]
mod options;
#[cfg(not(loom))]
mod sys;
#[cfg(all(feature = "tools", not(feature = "c-abi"), not(loom)))]
pub mod tools;

#[cfg(not(loom))]
mod topology;

#[cfg(not(loom))]
pub use global::Lohalloc;

/// The version of the library.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

#[cfg(all(feature = "c-abi", not(test), not(loom)))]
#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    sys::console::die(format_args!("{info}"))
}
