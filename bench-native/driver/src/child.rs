//! Child processes under an arm.

use crate::arms::Arm;
use anyhow::{Context, Result, bail};
use std::process::{Command, Stdio};

/// The command with nothing but the arm's library preloaded.
pub fn under(arm: &Arm, program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    command
        .env_remove("LD_LIBRARY_PATH")
        .envs(arm.environment())
        .stdin(Stdio::null());
    match &arm.library {
        Some(library) => command.env("LD_PRELOAD", library),
        None => command.env_remove("LD_PRELOAD"),
    };
    command
}

/// Its standard output; a failure carries what it said on standard error.
pub fn output(command: &mut Command) -> Result<String> {
    let run = command
        .output()
        .with_context(|| format!("cannot run {command:?}"))?;
    let said = String::from_utf8_lossy(&run.stderr);
    if !run.status.success() {
        bail!("{command:?}: {}: {}", run.status, said.trim());
    }
    if said.contains("cannot be preloaded") {
        bail!("{command:?}: {}", said.trim());
    }
    Ok(String::from_utf8_lossy(&run.stdout).into_owned())
}
