//! Learning: what was seen of each signature, and what follows from it. Pure: the front
//! brings what it sees, and asks for routes.

pub mod compose;
pub mod decide;
pub mod evidence;
pub mod merge;
pub mod model;
pub mod observe;
pub mod partition;
pub mod real;
pub mod survival;
pub mod table;
pub mod tree;
#[cfg(test)]
mod trials;
