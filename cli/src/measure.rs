//! What a run costs.
//!
//! Memory is looked at while the process runs, and once more at its very end, where ptrace stops it:
//! what is resident then is what is left of all that was freed.

use nix::sys::ptrace::{self, Options};
use nix::sys::signal::Signal;
use nix::unistd::Pid;
use std::fs;
use std::io;
use std::mem::MaybeUninit;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How often memory is looked at.
const LOOK: Duration = Duration::from_millis(5);

pub const METRICS: [&str; 4] = ["wall time", "CPU time", "peak memory", "final memory"];

/// A run: seconds of wall and CPU time (that of all processes that were waited for), and bytes
/// resident in the process at its peak and when it was last looked at.
pub type Cost = [f64; METRICS.len()];

/// Runs a command to its end.
pub fn run(command: &mut Command) -> io::Result<(ExitStatus, Cost)> {
    let start = Instant::now();
    let child = command.spawn()?;
    let pid = child.id();
    // Where that is forbidden, the last look before the end counts.
    let _ = ptrace::seize(Pid::from_raw(pid as i32), Options::PTRACE_O_TRACEEXIT);
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let looker = scope.spawn(|| watch(pid, &done));
        let ended = wait(pid);
        let wall = start.elapsed();
        done.store(true, Ordering::Relaxed);
        looker.thread().unpark();
        let seen = looker.join().unwrap_or_default();
        let End {
            status,
            usage,
            memory,
        } = ended?;
        let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
        let cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
        // A program that ends before it is looked at: what the kernel says of it, which is never less than
        // what we had when it was started.
        let seen = memory.or(seen);
        let (peak, last) = seen.unwrap_or_else(|| (usage.ru_maxrss as u64 * 1024, 0));
        let cost = [wall.as_secs_f64(), cpu, peak as f64, last as f64];
        Ok((status, cost))
    })
}

/// How a process ended.
struct End {
    status: ExitStatus,
    usage: libc::rusage,
    /// As `memory`, when it had nothing left to do.
    memory: Option<(u64, u64)>,
}

/// Waits for the end of a process, and lets it go on wherever ptrace has stopped it.
fn wait(pid: u32) -> io::Result<End> {
    const EXIT: i32 = libc::SIGTRAP | libc::PTRACE_EVENT_EXIT << 8;
    let (mut status, mut usage) = (0, MaybeUninit::<libc::rusage>::zeroed());
    let mut last = None;
    loop {
        // SAFETY: the kernel fills both.
        let ended = unsafe { libc::wait4(pid as i32, &raw mut status, 0, usage.as_mut_ptr()) };
        if ended == -1 {
            let error = io::Error::last_os_error();
            if error.kind() != io::ErrorKind::Interrupted {
                return Err(error);
            }
            continue;
        }
        if !libc::WIFSTOPPED(status) {
            return Ok(End {
                status: ExitStatus::from_raw(status),
                // SAFETY: filled, and all of its values are valid.
                usage: unsafe { usage.assume_init() },
                memory: last,
            });
        }
        if status >> 8 == EXIT {
            last = memory(pid);
        }
        // An event has a number above the signal; only a signal by itself is for the process.
        let signal = match status >> 16 {
            0 => Signal::try_from(libc::WSTOPSIG(status)).ok(),
            _ => None,
        };
        // It may be gone already.
        let _ = ptrace::cont(Pid::from_raw(pid as i32), signal);
    }
}

/// The most that was resident in a process, and what is now, in bytes. None once it has ended.
fn memory(pid: u32) -> Option<(u64, u64)> {
    let text = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    field(&text, "VmHWM:").zip(field(&text, "VmRSS:"))
}

/// `memory` when it was last looked at before the end.
fn watch(pid: u32, done: &AtomicBool) -> Option<(u64, u64)> {
    let mut seen = None;
    while !done.load(Ordering::Relaxed) {
        seen = memory(pid).or(seen);
        thread::park_timeout(LOOK);
    }
    seen
}

fn field(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_costs_what_it_takes() {
        let (status, cost) = run(Command::new("sleep").arg("0.2")).expect("sleep");
        assert!(status.success());
        assert!(cost[0] >= 0.2 && cost[1] < 0.1 && cost[2] >= cost[3] && cost[3] > 0.0);
    }

    #[test]
    fn what_is_freed_is_gone_at_the_end() {
        let script = "a = bytearray(b'1') * (80 << 20); del a";
        let (status, cost) = run(Command::new("python3").args(["-c", script])).expect("python3");
        let [_, _, peak, last] = cost;
        assert!(status.success() && peak - last > 70e6, "{cost:?}");
    }

    #[test]
    fn signals_end_a_run_as_ever() {
        let (status, _) = run(Command::new("sh").args(["-c", "kill -TERM $$"])).expect("sh");
        assert_eq!(status.signal(), Some(libc::SIGTERM));
        let script = "trap 'exit 5' USR1; kill -USR1 $$; sleep 9";
        let (status, _) = run(Command::new("sh").args(["-c", script])).expect("sh");
        assert_eq!(status.code(), Some(5));
    }

    #[test]
    fn fields_are_read() {
        assert_eq!(
            field("VmHWM:\t    12 kB\nVmRSS:\t 8 kB", "VmRSS:"),
            Some(8192)
        );
        assert_eq!(field("VmHWM:\t 12 kB", "VmRSS:"), None);
    }
}
