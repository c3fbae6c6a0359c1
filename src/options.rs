//! What the environment may say: one row a name.
//!
//! `LOHALLOC_OPTIONS=name:value,…` sets options; six further variables stand alone.
//! What is unknown or malformed is reported in one line a process and ignored. In a
//! process that runs with another's rights all of it is ignored.

use crate::base::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicUsize, Ordering};
use crate::sys::file::PATH_MAX;
use crate::sys::{auxv, console};
use core::ffi::{CStr, c_char};

/// A row of the table of options, which is also the manual.
pub struct Row {
    pub name: &'static str,
    pub default: &'static str,
    pub range: &'static str,
    pub help: &'static str,
    set: fn(&[u8]) -> bool,
}

/// All options.
pub static TABLE: [Row; 4] = [
    Row {
        name: "force",
        default: "none",
        range: "none, slab, buddy, system, arena",
        help: "send every block that fits to one backend; for tests",
        set: set_force,
    },
    Row {
        name: "deepbind",
        default: "clear",
        range: "clear, keep",
        help: "what dlopen makes of RTLD_DEEPBIND",
        set: set_deepbind,
    },
    Row {
        name: "scavenger",
        default: "off",
        range: "off, on",
        help: "run a thread that gives back what has long been free",
        set: set_scavenger,
    },
    Row {
        name: "sample",
        default: "65536",
        range: "1 to 1073741824",
        help: "in training, bytes from one sample to the next, in the mean",
        set: set_sample,
    },
];

/// A variable of the environment.
pub struct Variable {
    pub name: &'static str,
    pub help: &'static str,
}

/// All variables. Those without a use yet are accepted, so that one environment serves
/// every version.
pub static VARIABLES: [Variable; 7] = [
    Variable {
        name: "LOHALLOC_OPTIONS",
        help: "options, as name:value, separated by commas; or help",
    },
    Variable {
        name: "LOHALLOC_VERBOSE",
        help: "1: one line at start: version, mode, limits seen",
    },
    Variable {
        name: "LOHALLOC_STATS",
        help: "1: one line on standard error at exit; else the file that gets it",
    },
    Variable {
        name: "LOHALLOC_MODEL",
        help: "file with a model to follow, or directory with one for each program",
    },
    Variable {
        name: "LOHALLOC_TRAIN",
        help: "learn, and write the model to this file, or into this directory",
    },
    Variable {
        name: "LOHALLOC_TRACE",
        help: "reserved",
    },
    Variable {
        name: "LOHALLOC_CONTROL",
        help: "reserved",
    },
];

/// The backend that all blocks are sent to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Force {
    None,
    Slab,
    Buddy,
    System,
    Arena,
}

static FORCE: AtomicU32 = AtomicU32::new(Force::None as u32);
/// The flags that `dlopen` hands on.
pub static KEPT_DLOPEN_FLAGS: AtomicU32 = AtomicU32::new(!DEEPBIND);
const DEEPBIND: u32 = libc::RTLD_DEEPBIND as u32;
static SCAVENGER: AtomicBool = AtomicBool::new(false);
static VERBOSE: AtomicBool = AtomicBool::new(false);
/// Bytes from one sample to the next, in the mean.
static SAMPLE: AtomicUsize = AtomicUsize::new(64 << 10);
static STATS: Text = Text::empty();
static TRAIN: Text = Text::empty();
static MODEL: Text = Text::empty();

/// The value of a variable, copied: programs write over the environment they got. The
/// last byte stays 0.
struct Text([AtomicU8; PATH_MAX]);

impl Text {
    const fn empty() -> Text {
        Text([const { AtomicU8::new(0) }; PATH_MAX])
    }

    /// False if the value is too long.
    fn set(&self, value: &[u8]) -> bool {
        let fits = value.len() < PATH_MAX;
        for (to, from) in self.0.iter().zip(value.iter().chain(&[0])) {
            if fits {
                to.store(*from, Ordering::Relaxed);
            }
        }
        fits
    }

    /// `None` if the variable was not set, or set to nothing.
    fn get(&'static self) -> Option<&'static CStr> {
        // SAFETY: written by `read` only; the last byte stays 0.
        let value = unsafe { CStr::from_ptr(self.0.as_ptr().cast()) };
        (!value.is_empty()).then_some(value)
    }
}

#[inline]
pub fn force() -> Force {
    match FORCE.load(Ordering::Relaxed) {
        1 => Force::Slab,
        2 => Force::Buddy,
        3 => Force::System,
        4 => Force::Arena,
        _ => Force::None,
    }
}

pub fn scavenger() -> bool {
    SCAVENGER.load(Ordering::Relaxed)
}

pub fn verbose() -> bool {
    VERBOSE.load(Ordering::Relaxed)
}

/// Where statistics go at exit: `None` for nowhere.
pub fn stats() -> Option<&'static CStr> {
    STATS.get()
}

/// Where the model goes that is learned: `None` if nothing is to be learned.
pub fn train() -> Option<&'static CStr> {
    TRAIN.get()
}

/// Where the model is that is to be followed.
pub fn model() -> Option<&'static CStr> {
    MODEL.get()
}

/// Bytes from one sample to the next, in the mean.
pub fn sample() -> u64 {
    SAMPLE.load(Ordering::Relaxed) as u64
}

fn set_force(value: &[u8]) -> bool {
    let force = match value {
        b"none" => Force::None,
        b"slab" => Force::Slab,
        b"buddy" => Force::Buddy,
        b"system" => Force::System,
        b"arena" => Force::Arena,
        _ => return false,
    };
    FORCE.store(force as u32, Ordering::Relaxed);
    true
}

fn set_deepbind(value: &[u8]) -> bool {
    let kept = match value {
        b"clear" => !DEEPBIND,
        b"keep" => u32::MAX,
        _ => return false,
    };
    KEPT_DLOPEN_FLAGS.store(kept, Ordering::Relaxed);
    true
}

fn set_scavenger(value: &[u8]) -> bool {
    let on = match value {
        b"off" => false,
        b"on" => true,
        _ => return false,
    };
    SCAVENGER.store(on, Ordering::Relaxed);
    true
}

fn set_sample(value: &[u8]) -> bool {
    let bytes = core::str::from_utf8(value).ok();
    match bytes.and_then(|bytes| bytes.parse().ok()) {
        Some(bytes @ 1..=0x4000_0000) => {
            SAMPLE.store(bytes, Ordering::Relaxed);
            true
        }
        _ => false,
    }
}

/// Reads the environment. Called once, from the constructor.
///
/// # Safety
/// `environment` is null or a null-terminated array of C strings that live as long as
/// the process.
pub unsafe fn read(environment: *const *const c_char) {
    if environment.is_null() || auxv::secure() {
        return;
    }
    let mut complaint = Complaint::default();
    let mut entry = environment;
    loop {
        // SAFETY: the array ends in null, and we stop there.
        let text = unsafe { *entry };
        if text.is_null() {
            break;
        }
        // SAFETY: the caller promises C strings.
        let text = unsafe { CStr::from_ptr(text) };
        if text.to_bytes().starts_with(b"LOHALLOC_") {
            read_variable(text, &mut complaint);
        }
        // SAFETY: the null at the end was not reached.
        entry = unsafe { entry.add(1) };
    }
    complaint.say();
}

fn read_variable(text: &'static CStr, complaint: &mut Complaint) {
    let bytes = text.to_bytes();
    let at = bytes.iter().position(|&b| b == b'=').unwrap_or(bytes.len());
    let (name, value) = (&bytes[..at], bytes.get(at + 1..).unwrap_or(&[]));
    match name {
        b"LOHALLOC_OPTIONS" => read_options(value, complaint),
        b"LOHALLOC_VERBOSE" => match value {
            b"1" => VERBOSE.store(true, Ordering::Relaxed),
            b"0" | b"" => {}
            _ => complaint.about(bytes),
        },
        b"LOHALLOC_STATS" if value == b"0" => {}
        b"LOHALLOC_STATS" if STATS.set(value) => {}
        b"LOHALLOC_TRAIN" if TRAIN.set(value) => {}
        b"LOHALLOC_MODEL" if MODEL.set(value) => {}
        b"LOHALLOC_STATS" | b"LOHALLOC_TRAIN" | b"LOHALLOC_MODEL" => complaint.about(bytes),
        _ if VARIABLES.iter().any(|v| v.name.as_bytes() == name) => {}
        _ => complaint.about(bytes),
    }
}

fn read_options(list: &[u8], complaint: &mut Complaint) {
    for item in list.split(|&b| b == b',').filter(|item| !item.is_empty()) {
        let at = item.iter().position(|&b| b == b':').unwrap_or(item.len());
        let (name, value) = (&item[..at], item.get(at + 1..).unwrap_or(&[]));
        if item == b"help" {
            help();
            continue;
        }
        let known = TABLE.iter().find(|row| row.name.as_bytes() == name);
        if !known.is_some_and(|row| (row.set)(value)) {
            complaint.about(item);
        }
    }
}

/// Writes the manual to standard error: what `LOHALLOC_OPTIONS=help` asks for.
fn help() {
    for variable in &VARIABLES {
        console::report_plain(format_args!("{:<18}{}", variable.name, variable.help));
    }
    for row in &TABLE {
        console::report_plain(format_args!(
            "  {}:value   {} ({}; default {})",
            row.name, row.help, row.range, row.default
        ));
    }
}

/// What was wrong in the environment, to be said in one line.
#[derive(Default)]
struct Complaint<'a> {
    first: Option<&'a [u8]>,
    more: u32,
}

impl<'a> Complaint<'a> {
    fn about(&mut self, text: &[u8]) {
        // SAFETY: all texts are parts of the environment of the process's start.
        let text: &'a [u8] = unsafe { core::slice::from_raw_parts(text.as_ptr(), text.len()) };
        match self.first {
            None => self.first = Some(text),
            Some(_) => self.more += 1,
        }
    }

    fn say(&self) {
        let Some(first) = self.first else { return };
        let first = core::str::from_utf8(&first[..first.len().min(100)]).unwrap_or("(not UTF-8)");
        match self.more {
            0 => console::report(format_args!("unknown setting '{first}' ignored")),
            n => console::report(format_args!(
                "unknown setting '{first}' and {n} more ignored"
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints(variables: &[&'static CStr]) -> u32 {
        let mut complaint = Complaint::default();
        for text in variables {
            read_variable(text, &mut complaint);
        }
        u32::from(complaint.first.is_some()) + complaint.more
    }

    #[test]
    fn known_settings_are_taken_and_others_reported() {
        assert_eq!(
            complaints(&[c"LOHALLOC_OPTIONS=force:none", c"LOHALLOC_MODEL=x"]),
            0
        );
        assert_eq!(complaints(&[c"LOHALLOC_OPTIONS=force:none,,"]), 0);
        assert_eq!(complaints(&[c"LOHALLOC_OPTIONS=force:fast"]), 1);
        assert_eq!(complaints(&[c"LOHALLOC_OPTIONS=force,nope:1"]), 2);
        assert_eq!(
            complaints(&[c"LOHALLOC_NOPE=1", c"LOHALLOC_VERBOSE=yes"]),
            2
        );
        assert_eq!(complaints(&[c"LOHALLOC_OPTIONS"]), 0);
    }

    #[test]
    fn defaults_stand_in_their_range() {
        for row in &TABLE {
            assert!((row.set)(row.default.as_bytes()), "{}", row.name);
            assert!(!row.range.is_empty() && !row.help.is_empty());
        }
    }
}
