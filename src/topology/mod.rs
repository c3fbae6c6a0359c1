//! From a call to its context: the site, and the frames above it, by the unwind tables of the
//! modules that they lie in.

pub mod frames;
pub mod modules;
pub mod points;
pub mod row;
