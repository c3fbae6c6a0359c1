//! Counting the instructions of a whole process.

use crate::arms::Arm;
use crate::child;
use crate::service::Service;
use anyhow::{Context, Result, bail};
use regex::Regex;
use std::path::Path;

/// A run of `micro` that does `turns` turns of a row.
pub struct Run<'a> {
    pub program: &'a Path,
    pub mode: &'a str,
    pub row: &'a str,
    pub turns: u64,
}

/// All instructions of the run, those of the loader and of the start included.
pub fn instructions(arm: &Arm, run: &Run) -> Result<u64> {
    let mut command = child::under(arm, "valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    command
        .arg(run.program)
        .args([run.mode, run.row])
        .arg(run.turns.to_string());
    let output = command.output().context("cannot run valgrind")?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("{} under valgrind", output.status);
    }
    serde_json::from_slice::<Service>(&output.stdout)
        .context("the process gave no proof of service")?
        .check(arm)?;
    let collected = Regex::new(r"Collected : (\d+)")?;
    let found = collected
        .captures(&said)
        .context("callgrind printed no total")?;
    Ok(found[1].parse()?)
}
