//! One process of a row under an arm, by way of `launch.c`.

use crate::arms::Arm;
use crate::child;
use crate::rows::Row;
use crate::service::Service;
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Memory that is touched before each row.
const WARM_BYTES: usize = 256 << 20;

/// What `launch` writes; `after_kib` is what a workload prints.
#[derive(Deserialize)]
pub struct Cost {
    pub wall_s: f64,
    pub cpu_s: f64,
    pub faults: f64,
    pub peak_kib: f64,
    #[serde(default)]
    pub after_kib: Option<f64>,
    mapped: bool,
}

#[derive(Deserialize)]
struct Said {
    after_kib: f64,
    #[serde(flatten)]
    service: Service,
}

/// Runs it and proves that the arm served it.
pub fn run(root: &Path, arm: &Arm, row: &Row, idle: bool) -> Result<Cost> {
    let built = root.join("build/bench");
    let out = built.join("launch.json");
    let (program, directory) = match row.is_real() {
        true => (row.command[0].clone().into(), built.join("real")),
        false => (built.join("work").join(&row.command[0]), built.clone()),
    };
    // A server may be linked with an allocator of its own, which glibc's must come before.
    let none = if row.drive.is_empty() {
        "-"
    } else {
        "libc.so.6"
    };
    let mut command = Command::new(built.join("launch"));
    command
        .arg(&out)
        .arg(arm.library.as_deref().unwrap_or(Path::new(none)))
        .arg(program)
        .args(&row.command[1..])
        .current_dir(&directory)
        .env_remove("LD_PRELOAD")
        .env_remove("LD_LIBRARY_PATH")
        .env_remove("WORK_IDLE")
        .envs(arm.environment())
        .stdin(Stdio::null());
    if idle {
        command.env("WORK_IDLE", "1");
    }
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut launched = command.spawn().context("cannot run build/bench/launch")?;
    if let Err(error) = drive(row, &directory) {
        // The server goes with it.
        launched.kill()?;
        launched.wait()?;
        return Err(error);
    }
    let run = launched.wait_with_output()?;
    if !run.status.success() {
        let said = String::from_utf8_lossy(&run.stderr);
        bail!("{}: {}", run.status, said.lines().last().unwrap_or(""));
    }
    let mut cost: Cost = serde_json::from_str(&fs::read_to_string(&out)?)?;
    if row.is_real() {
        // A program says nothing of who serves it: that the library is there must do.
        if arm.library.is_some() && !cost.mapped {
            bail!("the library is not mapped as it ends");
        }
        return Ok(cost);
    }
    let said = String::from_utf8_lossy(&run.stdout);
    let line = said.lines().last().context("the workload said nothing")?;
    let said: Said = serde_json::from_str(line).with_context(|| line.to_owned())?;
    said.service.check(arm)?;
    cost.after_kib = (said.after_kib >= 0.0).then_some(said.after_kib);
    Ok(cost)
}

/// Drives a server until it ends.
fn drive(row: &Row, directory: &Path) -> Result<()> {
    let [program, arguments @ ..] = row.drive.as_slice() else {
        return Ok(());
    };
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(directory)
        .env_remove("LD_PRELOAD")
        .stdin(Stdio::null());
    child::output(&mut command).map(drop)
}

/// A virtual machine gives free memory back to its host, so that the next first touch is many
/// times slower: no arm shall pay for that.
pub fn warm_the_host() {
    // SAFETY: a mapping of our own, used and unmapped here.
    unsafe {
        let p = libc::mmap(
            std::ptr::null_mut(),
            WARM_BYTES,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
            -1,
            0,
        );
        if p != libc::MAP_FAILED {
            libc::madvise(p, WARM_BYTES, libc::MADV_HUGEPAGE);
            for at in (0..WARM_BYTES).step_by(4096) {
                p.cast::<u8>().add(at).write_volatile(1);
            }
            libc::munmap(p, WARM_BYTES);
        }
    }
}
