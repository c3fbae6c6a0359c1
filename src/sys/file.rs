//! Files: read whole into private memory, replaced whole, or appended to.
//!
//! A file is never mapped: one that somebody shortens later would end the process.

use super::auxv::os_page;
use super::syscall::{
    SYS_close, SYS_flock, SYS_fstat, SYS_getpid, SYS_mprotect, SYS_nanosleep, SYS_openat, SYS_read,
    SYS_renameat, SYS_unlinkat, SYS_write, syscall,
};
use super::vm;
use crate::base::bits::round_up;
use core::ffi::CStr;
use core::fmt::{self, Display};
use core::mem::MaybeUninit;

/// Longer names are refused.
pub const PATH_MAX: usize = 4096;
/// Room in a name for what `suffixed` adds.
const SUFFIX_MAX: usize = 32;

/// Room for the longest name of a file, and what is added to it.
pub type NameRoom = [u8; PATH_MAX + SUFFIX_MAX];

/// What is wrong with a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// The error number of a system call.
    Error(i32),
    /// A directory, a pipe, a device.
    NotRegular,
    /// Longer than this many bytes.
    TooLong(usize),
    /// Its name is longer than `PATH_MAX`.
    NameTooLong,
    /// Something else is in it.
    InUse,
    NoMemory,
}

impl Display for Trouble {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Error(libc::ENOENT) => to.write_str("no such file or directory"),
            Trouble::Error(libc::EACCES | libc::EPERM) => to.write_str("permission denied"),
            Trouble::Error(libc::ENOSPC) => to.write_str("no space left on the device"),
            Trouble::Error(libc::EROFS) => to.write_str("the file system is read-only"),
            Trouble::Error(libc::ENOTDIR) => to.write_str("a part of the path is no directory"),
            Trouble::Error(libc::EISDIR) => to.write_str("is a directory"),
            Trouble::Error(libc::EMFILE) => to.write_str("too many open files"),
            Trouble::Error(number) => write!(to, "error {number}"),
            Trouble::NotRegular => to.write_str("is not a regular file"),
            Trouble::TooLong(most) => write!(to, "is longer than {most} bytes"),
            Trouble::NameTooLong => write!(to, "its name is longer than {PATH_MAX} bytes"),
            Trouble::InUse => to.write_str("something else is in that file"),
            Trouble::NoMemory => to.write_str("no memory for it"),
        }
    }
}

impl Trouble {
    /// The error number that stands for it.
    pub fn number(&self) -> i32 {
        match self {
            Trouble::Error(number) => *number,
            Trouble::NotRegular => libc::EINVAL,
            Trouble::TooLong(_) => libc::EFBIG,
            Trouble::NameTooLong => libc::ENAMETOOLONG,
            Trouble::InUse => libc::EEXIST,
            Trouble::NoMemory => libc::ENOMEM,
        }
    }
}

/// An open file, closed at the end.
pub struct File(usize);

impl File {
    /// Opens a file with the flags of `open`; `O_CLOEXEC` is added. A pipe or a device does
    /// not make it wait.
    pub fn open(path: &CStr, flags: i32) -> Result<File, Trouble> {
        let flags = flags | libc::O_CLOEXEC | libc::O_NONBLOCK | libc::O_NOCTTY;
        let (here, name) = (libc::AT_FDCWD as usize, path.as_ptr() as usize);
        // SAFETY: the path is a C string.
        let opened = unsafe { syscall(SYS_openat, [here, name, flags as usize, 0o644, 0, 0]) };
        opened.map(File).map_err(Trouble::Error)
    }

    /// Reads until the buffer is full or the file ends. Returns how much was read.
    pub fn read(&self, buffer: &mut [u8]) -> Result<usize, Trouble> {
        let mut done = 0;
        while done < buffer.len() {
            let rest = &mut buffer[done..];
            let args = [self.0, rest.as_mut_ptr() as usize, rest.len(), 0, 0, 0];
            // SAFETY: the rest of the buffer is writable.
            match unsafe { syscall(SYS_read, args) } {
                Ok(0) => break,
                Ok(count) => done += count,
                Err(libc::EINTR) => {}
                Err(error) => return Err(Trouble::Error(error)),
            }
        }
        Ok(done)
    }

    /// Writes all of it.
    pub fn write(&self, mut bytes: &[u8]) -> Result<(), Trouble> {
        while !bytes.is_empty() {
            let args = [self.0, bytes.as_ptr() as usize, bytes.len(), 0, 0, 0];
            // SAFETY: the bytes are readable.
            match unsafe { syscall(SYS_write, args) } {
                Ok(0) => return Err(Trouble::Error(libc::EIO)),
                Ok(count) => bytes = &bytes[count.min(bytes.len())..],
                Err(libc::EINTR) => {}
                Err(error) => return Err(Trouble::Error(error)),
            }
        }
        Ok(())
    }

    fn status(&self) -> Result<libc::stat, Trouble> {
        let mut status = MaybeUninit::<libc::stat>::zeroed();
        let args = [self.0, status.as_mut_ptr() as usize, 0, 0, 0, 0];
        // SAFETY: the kernel fills the structure, all of whose values are valid.
        unsafe {
            syscall(SYS_fstat, args).map_err(Trouble::Error)?;
            Ok(status.assume_init())
        }
    }
}

impl Drop for File {
    fn drop(&mut self) {
        // SAFETY: the descriptor is ours.
        let _ = unsafe { syscall(SYS_close, [self.0, 0, 0, 0, 0, 0]) };
    }
}

/// Whether a path leads to a directory. What is not there is none.
pub fn is_directory(path: &CStr) -> Result<bool, Trouble> {
    match File::open(path, libc::O_RDONLY | libc::O_DIRECTORY) {
        Ok(_) => Ok(true),
        Err(Trouble::Error(libc::ENOTDIR | libc::ENOENT)) => Ok(false),
        Err(trouble) => Err(trouble),
    }
}

/// Locks the directory that a file is in against all who do the same, until what is returned is
/// dropped. Waits for two seconds at most.
#[inline(never)]
pub fn lock_beside(path: &CStr) -> Option<File> {
    const PATIENCE: usize = 2000;
    static NAP: libc::timespec = libc::timespec {
        tv_sec: 0,
        tv_nsec: 1_000_000,
    };
    let path = path.to_bytes();
    let mut name = [0; PATH_MAX];
    let mut directory = Name::new(&mut name);
    match path.iter().rposition(|&byte| byte == b'/') {
        Some(0) => directory.put(b"/"),
        Some(end) => directory.put(&path[..end]),
        None => directory.put(b"."),
    }
    let file = File::open(directory.finish()?, libc::O_RDONLY | libc::O_DIRECTORY).ok()?;
    let how = (libc::LOCK_EX | libc::LOCK_NB) as usize;
    for _ in 0..PATIENCE {
        // SAFETY: the descriptor is ours.
        if unsafe { syscall(SYS_flock, [file.0, how, 0, 0, 0, 0]) }.is_ok() {
            return Some(file);
        }
        // SAFETY: sleeps.
        let _ = unsafe { syscall(SYS_nanosleep, [&raw const NAP as usize, 0, 0, 0, 0, 0]) };
    }
    None
}

/// The name of a file in the making.
pub struct Name<'a> {
    text: &'a mut [u8],
    len: usize,
}

impl<'a> Name<'a> {
    pub fn new(text: &'a mut [u8]) -> Self {
        Name { text, len: 0 }
    }

    /// Appends. A name that becomes too long is none in the end.
    pub fn put(&mut self, part: &[u8]) {
        let end = self.len + part.len();
        if let Some(room) = self.text.get_mut(self.len..end) {
            room.copy_from_slice(part);
        }
        self.len = end;
    }

    /// `None` if it is too long.
    pub fn finish(mut self) -> Option<&'a CStr> {
        self.put(&[0]);
        let text = self.text.get(..self.len)?;
        CStr::from_bytes_until_nul(text).ok()
    }
}

impl fmt::Write for Name<'_> {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        self.put(part.as_bytes());
        Ok(())
    }
}

/// What a regular file of at most `most` bytes says, in memory of its own that can only be
/// read. `drop_text` gives it back.
pub fn load(path: &CStr, most: usize) -> Result<&'static [u8], Trouble> {
    let file = File::open(path, libc::O_RDONLY)?;
    let status = file.status()?;
    if status.st_mode & libc::S_IFMT != libc::S_IFREG {
        return Err(Trouble::NotRegular);
    }
    let size = status.st_size as usize;
    if size > most {
        return Err(Trouble::TooLong(most));
    }
    let mapped = mapped(size);
    let start = vm::map(mapped).ok_or(Trouble::NoMemory)?;
    // SAFETY: just mapped, and ours.
    let memory = unsafe { core::slice::from_raw_parts_mut(start as *mut u8, size) };
    match file.read(memory) {
        Ok(read) => {
            let protection = libc::PROT_READ as usize;
            // SAFETY: nobody writes there from now on. If it is refused, so be it.
            let _ = unsafe { syscall(SYS_mprotect, [start, mapped, protection, 0, 0, 0]) };
            Ok(&memory[..read])
        }
        Err(trouble) => {
            vm::unmap(start, mapped);
            Err(trouble)
        }
    }
}

/// Gives back the memory of `load`.
///
/// # Safety
/// Nobody reads it any more, and it is all that `load` returned.
pub unsafe fn drop_text(text: &'static [u8]) {
    vm::unmap(text.as_ptr() as usize, mapped(text.len()));
}

fn mapped(size: usize) -> usize {
    round_up(size.max(1), os_page()).unwrap_or(size)
}

/// Puts a file of these parts in place, whole: whoever opens it has the old one or the new
/// one. If that fails, the old one stays, and nothing is left behind. `name` is for a name.
pub fn replace(path: &CStr, parts: &[&[u8]], name: &mut NameRoom) -> Result<(), Trouble> {
    let temporary = suffixed(path, "new", name)?;
    // Of an earlier process with this number.
    remove(temporary);
    let file = File::open(temporary, libc::O_WRONLY | libc::O_CREAT | libc::O_EXCL)?;
    let written = parts.iter().try_for_each(|part| file.write(part));
    drop(file);
    let here = libc::AT_FDCWD as usize;
    let (from, to) = (temporary.as_ptr() as usize, path.as_ptr() as usize);
    let placed = written.and_then(|()| {
        // SAFETY: both are C strings.
        unsafe { syscall(SYS_renameat, [here, from, here, to, 0, 0]) }.map_err(Trouble::Error)
    });
    if placed.is_err() {
        remove(temporary);
    }
    placed.map(|_| ())
}

/// A name beside `path` that no other process uses: with the number of this one, and `what`.
pub fn suffixed<'a>(path: &CStr, what: &str, name: &'a mut NameRoom) -> Result<&'a CStr, Trouble> {
    let mut beside = Name::new(name);
    beside.put(path.to_bytes());
    // What does not fit is found at the end.
    let _ = fmt::Write::write_fmt(&mut beside, format_args!(".{}.{what}", process()));
    beside.finish().ok_or(Trouble::NameTooLong)
}

/// Removes a file, if it is there.
pub fn remove(path: &CStr) {
    let args = [libc::AT_FDCWD as usize, path.as_ptr() as usize, 0, 0, 0, 0];
    // SAFETY: the path is a C string.
    let _ = unsafe { syscall(SYS_unlinkat, args) };
}

/// The number of this process.
pub fn process() -> usize {
    // SAFETY: asks.
    unsafe { syscall(SYS_getpid, [0; 6]) }.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CString;
    use std::format;
    use std::fs;

    fn room() -> NameRoom {
        [0; PATH_MAX + SUFFIX_MAX]
    }

    fn place(name: &str) -> (std::path::PathBuf, CString) {
        let path = std::env::temp_dir().join(format!("lohalloc-{name}-{}", process()));
        let text = CString::new(path.to_str().expect("a name")).expect("no zero");
        (path, text)
    }

    #[test]
    fn what_is_put_in_place_is_read_again() {
        let (path, name) = place("file");
        assert_eq!(load(&name, 100), Err(Trouble::Error(libc::ENOENT)));
        for text in [b"one, two".as_slice(), b"", &[7; 9000]] {
            replace(&name, &[text, b"end"], &mut room()).expect("a place to write to");
            let read = load(&name, 10_000).expect("a file");
            assert_eq!(read, [text, b"end"].concat());
            // SAFETY: not used any more.
            unsafe { drop_text(read) };
        }
        assert_eq!(load(&name, 10), Err(Trouble::TooLong(10)));
        fs::remove_file(path).expect("ours");
    }

    #[test]
    fn what_is_no_file_is_refused_at_once() {
        assert_eq!(load(c"/", 100), Err(Trouble::NotRegular));
        assert_eq!(load(c"/dev/zero", 100), Err(Trouble::NotRegular));
        let (path, name) = place("pipe");
        // SAFETY: a C string.
        assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
        assert_eq!(load(&name, 100), Err(Trouble::NotRegular));
        fs::remove_file(path).expect("ours");
    }

    #[test]
    fn what_cannot_be_written_leaves_nothing_behind() {
        let (path, name) = place("folder");
        fs::create_dir(&path).expect("a folder");
        assert_eq!(
            replace(&name, &[b"x"], &mut room()),
            Err(Trouble::Error(libc::EISDIR))
        );
        fs::remove_dir(&path).expect("ours, and empty");
        let beside = fs::read_dir(std::env::temp_dir()).expect("readable");
        let own = format!(".{}.new", process());
        for entry in beside.flatten() {
            assert!(!entry.file_name().to_string_lossy().ends_with(&own));
        }
    }
}
