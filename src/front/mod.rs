//! The front: what every allocation and every free passes through.
//!
//! `README.md` beside this file tells the life of one malloc, one free and one remote
//! free in numbered steps.

pub mod aligned;
pub mod alloc;
pub mod arena;
pub mod call;
pub mod census;
pub mod follow;
pub mod foreign;
pub mod fork;
pub mod free;
pub mod heap;
pub mod init;
pub mod learn;
pub mod lists;
pub mod mode;
pub mod outbox;
pub mod purge;
pub mod realloc;
pub mod registry;
pub mod remote;
pub mod route;
pub mod sampler;
pub mod scavenger;
pub mod stats;
pub mod tls;

pub use purge::purge;

#[cfg(test)]
mod tests;
