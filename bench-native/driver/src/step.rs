//! Counting instructions one by one, for allocators that do not start under
//! valgrind: they reserve more address space than it has.

use crate::arms::Arm;
use crate::callgrind::Run;
use crate::child;
use crate::service::Service;
use anyhow::{Context, Result, bail};
use nix::sys::ptrace;
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::Pid;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::Stdio;

/// The instructions between the two stops of `micro --step`.
pub fn instructions(arm: &Arm, run: &Run) -> Result<u64> {
    let mut command = child::under(arm, run.program);
    command
        .args([run.mode, run.row])
        .arg(run.turns.to_string())
        .stdout(Stdio::piped());
    // SAFETY: the call between fork and exec is a bare system call.
    unsafe { command.pre_exec(|| ptrace::traceme().map_err(Into::into)) };
    let mut child = command.spawn().context("cannot trace a child")?;
    let pid = Pid::from_raw(i32::try_from(child.id())?);
    wait_for(pid, Signal::SIGTRAP)?; // the exec
    ptrace::cont(pid, None)?;
    wait_for(pid, Signal::SIGSTOP)?;
    let mut count = 0;
    loop {
        ptrace::step(pid, None)?;
        match waitpid(pid, None)? {
            WaitStatus::Stopped(_, Signal::SIGTRAP) => count += 1,
            WaitStatus::Stopped(_, Signal::SIGSTOP) => break,
            other => bail!("{other:?} while stepping"),
        }
    }
    ptrace::cont(pid, None)?;
    let mut said = String::new();
    child
        .stdout
        .take()
        .context("no output")?
        .read_to_string(&mut said)?;
    child.wait()?;
    serde_json::from_str::<Service>(&said)
        .context("the process gave no proof of service")?
        .check(arm)?;
    Ok(count)
}

fn wait_for(pid: Pid, signal: Signal) -> Result<()> {
    match waitpid(pid, None)? {
        WaitStatus::Stopped(_, got) if got == signal => Ok(()),
        other => bail!("{other:?} in place of {signal}"),
    }
}
