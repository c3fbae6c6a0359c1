//! The front as a whole, against a shadow of what it must do.
//!
//! Each test has a process of its own, so that figures are exact; each sequence of
//! operations has a fork of it, so that a sequence that kills the process is made small
//! like one that fails a check.

mod oracle;
mod process;
mod sequences;
mod threads;
