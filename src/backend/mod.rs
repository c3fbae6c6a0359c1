//! Where blocks come from. System supplies Buddy, Buddy supplies Slab, and each serves
//! callers itself.

pub mod buddy;
pub mod budget;
pub mod large;
pub mod meta;
pub mod segment;
pub mod slab;
pub mod system;
