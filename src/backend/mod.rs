//! Where blocks come from. System supplies Buddy, Buddy supplies Slab and Arena, and each
//! serves callers itself.

pub mod arena;
pub mod buddy;
pub mod budget;
pub mod large;
pub mod meta;
pub mod segment;
pub mod slab;
pub mod system;

/// The tests share the process's spans and blocks, so those that look at all of them run
/// one at a time.
#[cfg(test)]
fn alone() -> std::sync::MutexGuard<'static, ()> {
    static ONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    ONE.lock().unwrap_or_else(|error| error.into_inner())
}
