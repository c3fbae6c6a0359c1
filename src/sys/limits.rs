//! Limits of the process, as words.

use super::cgroup;
use super::syscall::{SYS_prlimit64, syscall};
use core::fmt;

/// A number of bytes, or no limit.
struct Limit(Option<u64>);

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(bytes) => write!(f, "{} KiB", bytes >> 10),
            None => f.write_str("unlimited"),
        }
    }
}

fn soft(which: usize) -> Limit {
    let mut pair = [u64::MAX; 2];
    let args = [0, which, 0, &raw mut pair as usize, 0, 0];
    // SAFETY: the kernel writes two 64-bit numbers.
    let _ = unsafe { syscall(SYS_prlimit64, args) };
    Limit((pair[0] != u64::MAX).then_some(pair[0]))
}

/// RLIMIT_AS.
fn address_space() -> Limit {
    soft(libc::RLIMIT_AS as usize)
}

/// RLIMIT_DATA, which counts writable private mappings.
fn data() -> Limit {
    soft(libc::RLIMIT_DATA as usize)
}

/// All limits on memory, as words.
pub struct All;

impl fmt::Display for All {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "address space {}, data {}", address_space(), data())?;
        match cgroup::memory_limit() {
            Some(bytes) => write!(f, ", cgroup {}", Limit(Some(bytes))),
            None => Ok(()),
        }
    }
}
