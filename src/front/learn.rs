//! Learning: begun at the start or by a call, and what comes of it: a model, in a file or at
//! once in force.

use super::mode::{self, Mode};
use super::{follow, sampler};
use crate::base::atomic::{AtomicUsize, Ordering};
use crate::decision::compose::Workshop;
use crate::decision::merge::Merger;
use crate::decision::model::{LENGTH_MAX, MAGIC, Model};
use crate::options;
use crate::sys::file::{self, Name, NameRoom, PATH_MAX, Trouble};
use crate::sys::module::Identity;
use crate::sys::{auxv, clock, console, module, vm};
use crate::topology::{modules, points};
use core::ffi::CStr;
use core::fmt::Write;

/// What a model is made in, and written from. All zeroes will do.
#[repr(C)]
struct Shop {
    workshop: Workshop,
    names: Names,
    text: [u8; LENGTH_MAX],
}

/// Room for names, which a small stack has not.
struct Names {
    file: [u8; PATH_MAX],
    part: NameRoom,
    new: NameRoom,
}

/// In the constructor: learns, or follows a model, as the environment says.
pub fn begin() {
    let (train, model) = (options::train(), options::model());
    if train.is_none() && model.is_none() {
        return;
    }
    module::prepare();
    if train.is_some() {
        if !start() {
            console::report(format_args!("no memory to learn in; running untrained"));
        }
    } else if let Some(path) = model {
        follow::load_named(path);
    }
}

/// In the destructor: writes what was learned.
pub fn end() {
    if mode::mode() == Mode::Training {
        save_named();
    }
}

/// Writes what was learned where the environment says, if it does.
fn save_named() {
    let Some(path) = options::train() else { return };
    let mut name = [0; PATH_MAX];
    let written = file_of(path, &mut name).and_then(save);
    // A process that may do nothing is one of many that the environment has reached.
    let sandboxed = Err(Trouble::Error(libc::ENOSYS));
    if let Err(trouble) = written
        && (written != sandboxed || options::verbose())
    {
        console::report(format_args!(
            "cannot write LOHALLOC_TRAIN to '{}': {trouble}; what was learned is lost",
            path.to_str().unwrap_or("(not UTF-8)")
        ));
    }
}

/// Begins to learn, from nothing. False if there is no memory.
pub fn start() -> bool {
    let started = sampler::start();
    if started {
        mode::set(Mode::Training);
    }
    started
}

/// Stops to learn. What was learned stays. False if nothing is being learned.
pub fn stop() -> bool {
    let training = mode::mode() == Mode::Training;
    if training {
        mode::set(match follow::model() {
            Some(_) => Mode::Inference,
            None => Mode::Untrained,
        });
    }
    training
}

/// Puts what was learned so far in force, and writes it where the environment says, if it was being
/// learned for that. `None` if there is no memory, or nothing was learned.
pub fn freeze() -> Option<()> {
    let training = mode::mode() == Mode::Training;
    compose(None, |text, _| follow::adopt(text))?.then_some(())?;
    if training {
        save_named();
    }
    Some(())
}

/// Writes what was learned to a file, beside what the file has learned before. A file that is no
/// model is left alone.
pub fn save(path: &CStr) -> Result<(), Trouble> {
    let lock = file::lock_beside(path);
    let before = match file::load(path, LENGTH_MAX) {
        Ok(text) => Some(text),
        Err(Trouble::Error(libc::ENOENT)) => None,
        Err(trouble) => return Err(trouble),
    };
    let saved = save_beside(path, before);
    drop(lock);
    if let Some(text) = before {
        // SAFETY: no model of it is used any more.
        unsafe { file::drop_text(text) };
    }
    saved
}

fn save_beside(path: &CStr, before: Option<&[u8]>) -> Result<(), Trouble> {
    if before.is_some_and(|text| !text.is_empty() && !text.starts_with(&MAGIC)) {
        return Err(Trouble::InUse);
    }
    let whole = |model: &Model| model.rows().count() == model.row_count();
    let model = before.and_then(|text| Model::parse(text).ok().filter(whole));
    let written = compose(model, |text, names| {
        let written = file::replace(path, &[text], &mut names.new);
        if let Ok(part) = file::suffixed(path, PART, &mut names.part) {
            file::remove(part);
        }
        written
    });
    written.unwrap_or(Err(Trouble::NoMemory))
}

/// What is added to the name of a file for what a process has learned that has not ended.
const PART: &str = "part";
/// Moments from one checkpoint to the next.
const PERIOD: usize = 10 * clock::PER_SECOND;
/// When the next checkpoint is due. The first one in a second.
static DUE: AtomicUsize = AtomicUsize::new(0);

/// A process may be killed, or end without a word: now and then it writes what it has learned
/// so far beside the file. Called at samples, under no lock.
#[inline]
pub fn checkpoint() {
    let (now, due) = (clock::moments(), DUE.load(Ordering::Relaxed));
    if due != 0 && (now.wrapping_sub(due) as isize) < 0 {
        return;
    }
    let next = match due {
        0 => now + clock::PER_SECOND,
        _ => now + PERIOD,
    };
    let ours = DUE.compare_exchange(due, next, Ordering::Relaxed, Ordering::Relaxed);
    if due != 0 && ours.is_ok() && options::train().is_some() {
        write_part();
    }
}

#[cold]
#[inline(never)]
fn write_part() {
    let Some(path) = options::train() else { return };
    // If it cannot be written, the end will say so.
    let _ = compose(None, |text, names| {
        let file = file_of(path, &mut names.file)?;
        let part = file::suffixed(file, PART, &mut names.part)?;
        file::replace(part, &[text], &mut names.new)
    });
}

/// Makes a model of what was learned, and of `before`, and shows its text. `None` if there is no memory,
/// or nothing was ever learned.
fn compose<T>(before: Option<Model<'_>>, to: impl FnOnce(&[u8], &mut Names) -> T) -> Option<T> {
    let start = vm::map(size_of::<Shop>())?;
    // SAFETY: fresh zeroes, and ours.
    let shop = unsafe { &mut *(start as *mut Shop) };
    let shown = compose_in(shop, before, to);
    vm::unmap(start, size_of::<Shop>());
    shown
}

fn compose_in<T>(
    shop: &mut Shop,
    before: Option<Model<'_>>,
    to: impl FnOnce(&[u8], &mut Names) -> T,
) -> Option<T> {
    let room = &mut shop.workshop.room;
    let mut merger = sampler::show(|rows, mean, clock| {
        let longest = before.map_or(mean, |model| mean.max(model.summary.mean));
        let mut merger = Merger::new(room, longest);
        merger.ran(1, clock);
        for row in rows {
            merger.add(row, mean, modules::identity_of);
        }
        merger
    })?;
    if let Some(program) = program() {
        merger.module(&program);
    }
    if let Some(model) = before {
        // What is too much is left out.
        let _ = merger.add_model(&model);
    }
    let length = shop
        .workshop
        .work
        .compose(merger, &points::hash_of, &mut shop.text)?;
    Some(to(&shop.text[..length], &mut shop.names))
}

/// What the program is called for good.
pub fn program() -> Option<Identity> {
    module::find(auxv::program()).and_then(|module| module.identity())
}

/// The file that a path stands for: itself, or that of this program in a directory.
pub fn file_of<'a>(path: &CStr, name: &'a mut [u8; PATH_MAX]) -> Result<&'a CStr, Trouble> {
    let mut text = Name::new(name);
    text.put(path.to_bytes());
    if file::is_directory(path)? {
        let program = program().ok_or(Trouble::Error(libc::EISDIR))?;
        text.put(b"/");
        for byte in &program.bytes[..program.len.into()] {
            // What does not fit is found at the end.
            let _ = write!(text, "{byte:02x}");
        }
        text.put(b".lohalloc");
    }
    text.finish().ok_or(Trouble::NameTooLong)
}
