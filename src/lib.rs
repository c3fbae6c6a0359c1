//! lohalloc
#![no_std]
#[cfg(any(test, not(feature = "c-abi")))]
extern crate std;
pub mod base;
#[cfg(not(loom))]
mod sys;
#[cfg(not(loom))]
mod options;
#[cfg(not(loom))]
mod map;
#[cfg(not(loom))]
mod backend;
