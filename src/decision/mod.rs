//! Learning: what was seen of each signature, and what follows from it. Pure: the front
//! brings what it sees, and asks for routes.

#[cfg_attr(not(test), expect(dead_code, reason = "only tests call it"))]
pub mod bandit;
pub mod decide;
pub mod evidence;
#[cfg_attr(not(test), expect(dead_code, reason = "only tests call it"))]
pub mod keep;
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
