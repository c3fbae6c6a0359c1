//! Processes for tests.

use std::boxed::Box;
use std::format;
use std::io::Read;
use std::os::fd::FromRawFd;
use std::process::Command;
use std::string::String;

/// Set in the process that is a test's own.
const ALONE: &str = "TEST_ALONE";
/// Seconds that a fork may take.
const FORK_SECONDS: u32 = 120;

/// Runs `body` in a process where nothing else happens. `test` is the full name of the
/// calling test; `options` is for LOHALLOC_OPTIONS.
pub fn alone(test: &str, options: &str, body: impl FnOnce()) {
    if std::env::var_os(ALONE).is_some() {
        body();
        return;
    }
    let name = test.split_once("::").map_or(test, |(_, name)| name);
    // By this name the binary is found even if it has been built anew meanwhile.
    let output = Command::new("/proc/self/exe")
        .args([name, "--exact", "--nocapture", "--test-threads=1"])
        .env(ALONE, "1")
        .env("LOHALLOC_OPTIONS", options)
        .output()
        .expect("a process");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {said}", output.status);
    let ran = String::from_utf8_lossy(&output.stdout);
    assert!(ran.contains("1 passed"), "no test is called {name}");
}

/// Runs `body` as `alone` does, once for each way that small blocks can take.
pub fn each_way(test: &str, body: impl Fn()) {
    if std::env::var_os(ALONE).is_some() {
        return body();
    }
    for options in ["", "force:arena"] {
        alone(test, options, || {});
    }
}

/// Runs `body` in a fork of this process. The error is the message of its panic, or says
/// how it ended.
pub fn forked(body: impl FnOnce()) -> Result<(), String> {
    let mut pipe = [0; 2];
    // SAFETY: the array has room for both ends.
    assert_eq!(unsafe { libc::pipe(pipe.as_mut_ptr()) }, 0);
    // SAFETY: the child uses what a fork leaves in order: this thread and both allocators.
    match unsafe { libc::fork() } {
        -1 => panic!("no fork"),
        0 => {
            std::panic::set_hook(Box::new(move |info| {
                let text = format!("{info}");
                // SAFETY: the text is readable; nothing of this process is used again.
                unsafe {
                    libc::write(pipe[1], text.as_ptr().cast(), text.len());
                    libc::_exit(1);
                }
            }));
            // SAFETY: ends the child if it hangs.
            unsafe { libc::alarm(FORK_SECONDS) };
            body();
            // SAFETY: as above.
            unsafe { libc::_exit(0) }
        }
        child => {
            // SAFETY: both ends are this function's; the file takes the first.
            let mut end = unsafe {
                libc::close(pipe[1]);
                std::fs::File::from_raw_fd(pipe[0])
            };
            let mut text = String::new();
            let _ = end.read_to_string(&mut text);
            let mut status = 0;
            // SAFETY: the child is ours.
            assert_eq!(unsafe { libc::waitpid(child, &mut status, 0) }, child);
            match status {
                0 => Ok(()),
                _ if libc::WIFSIGNALED(status) => {
                    Err(format!("ended by signal {}", libc::WTERMSIG(status)))
                }
                _ => Err(text),
            }
        }
    }
}
