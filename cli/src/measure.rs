//! What a run costs.

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
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let looker = scope.spawn(|| watch(pid, &done));
        let ended = wait(pid as libc::pid_t);
        let wall = start.elapsed();
        done.store(true, Ordering::Relaxed);
        looker.thread().unpark();
        let seen = looker.join().unwrap_or_default();
        let (status, usage) = ended?;
        let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
        let cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
        // A program that ends before it is looked at: what the kernel says of it, which is never less than
        // what we had when it was started.
        let (peak, last) = seen.unwrap_or_else(|| (usage.ru_maxrss as u64 * 1024, 0));
        let cost = [wall.as_secs_f64(), cpu, peak as f64, last as f64];
        Ok((status, cost))
    })
}

fn wait(pid: libc::pid_t) -> io::Result<(ExitStatus, libc::rusage)> {
    let (mut status, mut usage) = (0, MaybeUninit::<libc::rusage>::zeroed());
    loop {
        // SAFETY: the kernel fills both.
        let ended = unsafe { libc::wait4(pid, &raw mut status, 0, usage.as_mut_ptr()) };
        if ended == pid {
            // SAFETY: filled, and all of its values are valid.
            return Ok((ExitStatus::from_raw(status), unsafe { usage.assume_init() }));
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

/// The most that was resident in a process, and what was at last.
fn watch(pid: u32, done: &AtomicBool) -> Option<(u64, u64)> {
    let path = format!("/proc/{pid}/status");
    let mut seen = None;
    while !done.load(Ordering::Relaxed) {
        let text = fs::read_to_string(&path).unwrap_or_default();
        let found = field(&text, "VmHWM:").zip(field(&text, "VmRSS:"));
        // A process that is ending has none.
        seen = found.or(seen);
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
    fn fields_are_read() {
        assert_eq!(
            field("VmHWM:\t    12 kB\nVmRSS:\t 8 kB", "VmRSS:"),
            Some(8192)
        );
        assert_eq!(field("VmHWM:\t 12 kB", "VmRSS:"), None);
    }
}
