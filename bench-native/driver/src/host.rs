//! What a reader must know of the machine to place the figures.

use serde::Serialize;
use std::fs;
use std::path::Path;

#[derive(Serialize)]
pub struct Host {
    cpu: String,
    cores: usize,
    memory_mib: u64,
    kernel: String,
    libc: String,
    huge_pages: String,
    load: String,
    peers: Vec<String>,
}

impl Host {
    pub fn read(root: &Path) -> Host {
        Host {
            cpu: after_colon("/proc/cpuinfo", &["model name", "CPU part"]),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            memory_mib: memory_kib("MemTotal") / 1024,
            kernel: line("/proc/sys/kernel/osrelease"),
            libc: libc_version(),
            huge_pages: chosen(&line("/sys/kernel/mm/transparent_hugepage/enabled")),
            load: line("/proc/loadavg")
                .split(' ')
                .take(3)
                .collect::<Vec<_>>()
                .join(" "),
            peers: text(
                &root
                    .join("bench-native/peers/lib/versions")
                    .to_string_lossy(),
            )
            .lines()
            .map(str::to_owned)
            .collect(),
        }
    }

    pub fn print(&self) {
        println!(
            "{}, {} cores, {} MiB, Linux {}, glibc {}, huge pages {}, load {}",
            self.cpu,
            self.cores,
            self.memory_mib,
            self.kernel,
            self.libc,
            self.huge_pages,
            self.load
        );
        println!("peers: {}\n", self.peers.join(", "));
    }
}

pub fn memory_kib(field: &str) -> u64 {
    after_colon("/proc/meminfo", &[field])
        .split(' ')
        .next()
        .and_then(|n| n.parse().ok())
        .unwrap_or(0)
}

fn text(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

fn line(path: &str) -> String {
    text(path).trim().to_owned()
}

fn after_colon(path: &str, names: &[&str]) -> String {
    let text = text(path);
    names
        .iter()
        .find_map(|name| text.lines().find(|line| line.starts_with(name)))
        .and_then(|line| line.split_once(':'))
        .map_or_else(
            || "unknown".to_owned(),
            |(_, value)| value.trim().to_owned(),
        )
}

/// The word in brackets of a kernel setting.
fn chosen(setting: &str) -> String {
    setting
        .split_once('[')
        .and_then(|(_, rest)| rest.split_once(']'))
        .map_or("unknown", |(word, _)| word)
        .to_owned()
}

fn libc_version() -> String {
    // SAFETY: the C library returns a constant string with a terminating zero.
    let version = unsafe { std::ffi::CStr::from_ptr(libc::gnu_get_libc_version()) };
    version.to_string_lossy().into_owned()
}
