//! One-line messages, made without an allocation.

use super::file::File;
use super::lock;
use super::syscall::{SYS_write, syscall};
use core::ffi::CStr;
use core::fmt::{self, Write};

/// A line of at most 511 bytes; what is longer is cut.
pub struct Line {
    text: [u8; 512],
    len: usize,
}

impl Line {
    pub const fn new() -> Self {
        Line {
            text: [0; 512],
            len: 0,
        }
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.text[..self.len]
    }
}

impl Write for Line {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        let room = self.text.len() - 1 - self.len;
        let take = part.len().min(room);
        self.text[self.len..self.len + take].copy_from_slice(&part.as_bytes()[..take]);
        self.len += take;
        Ok(())
    }
}

/// Writes bytes to a descriptor; an error is not reported.
pub fn write_to(descriptor: i32, bytes: &[u8]) {
    let mut rest = bytes;
    while !rest.is_empty() {
        let args = [
            descriptor as usize,
            rest.as_ptr() as usize,
            rest.len(),
            0,
            0,
            0,
        ];
        // SAFETY: the buffer is readable for its length.
        match unsafe { syscall(SYS_write, args) } {
            Ok(0) => return,
            Ok(n) => rest = &rest[n.min(rest.len())..],
            Err(libc::EINTR) => {}
            Err(_) => return,
        }
    }
}

/// Writes bytes to the end of a file, made if it is not there. False if that fails.
pub fn append_to(path: &CStr, bytes: &[u8]) -> bool {
    let how = libc::O_WRONLY | libc::O_CREAT | libc::O_APPEND;
    File::open(path, how).is_ok_and(|file| file.write(bytes).is_ok())
}

/// Writes "lohalloc: …" and a newline to standard error in one call.
pub fn report(message: fmt::Arguments<'_>) {
    report_plain(format_args!("lohalloc: {message}"));
}

/// Writes a line to standard error in one call.
pub fn report_plain(message: fmt::Arguments<'_>) {
    let mut line = Line::new();
    // A `Line` never fails; what does not fit is cut.
    let _ = line.write_fmt(message);
    line.text[line.len] = b'\n';
    line.len += 1;
    write_to(libc::STDERR_FILENO, line.as_bytes());
}

/// Reports and ends the process by SIGABRT.
#[cold]
pub fn die(message: fmt::Arguments<'_>) -> ! {
    report(message);
    lock::give_up();
    // SAFETY: abort has no precondition.
    unsafe { libc::abort() }
}
