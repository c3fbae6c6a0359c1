//! The only contact with the operating system.
//!
//! Memory and messages use raw system calls: programs interpose `mmap` and `write` and
//! allocate inside them. libc is called for what only it can do, and never on a path
//! of an allocation: threads' keys and robust mutexes, fork handlers, `dlsym`.

pub mod auxv;
mod cgroup;
pub mod clock;
pub mod console;
pub mod copy;
pub mod file;
pub mod limits;
pub mod lock;
pub mod module;
pub mod stack;
pub mod syscall;
pub mod thread;
pub mod vm;
#[cfg(test)]
mod wide;
