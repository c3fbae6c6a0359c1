//! Pure building blocks: no operating system, no globals.

pub mod atomic;
#[cfg(not(loom))]
pub mod bitmap;
#[cfg(not(loom))]
pub mod bits;
pub mod block;
pub mod chunk;
#[cfg(not(loom))]
pub mod class;
pub mod mailbox;
#[cfg(not(loom))]
pub mod mix;
pub mod tally;

#[cfg(all(test, loom))]
mod models;
