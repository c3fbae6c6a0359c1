//! Learning: begun at the start or by a call, and what comes of it: a model, in a file or at
//! once in force.

use super::mode::{self, Mode};
use super::{follow, sampler};
use crate::base::atomic::{AtomicUsize, Ordering};
use crate::decision::decide::{Scratch, decide};
use crate::decision::evidence::{Place, Seen};
use crate::decision::merge::{Merger, Room};
use crate::decision::model::{LENGTH_MAX, MAGIC, Model, Summary, encode, room};
use crate::decision::tree::{NODES, Node};
use crate::options;
use crate::sys::file::{self, Name, NameRoom, PATH_MAX, Trouble};
use crate::sys::module::Identity;
use crate::sys::{auxv, clock, console, module, vm};
use crate::topology::{modules, points};
use core::ffi::CStr;
use core::fmt::Write;

/// What a model is made in. All zeroes will do.
#[repr(C)]
struct Workshop {
    room: Room,
    scratch: Scratch,
    nodes: [Node; NODES],
    known: [Identity; modules::MODULES],
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
    let Some(path) = options::train() else { return };
    if mode::mode() != Mode::Training {
        return;
    }
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

/// Puts what was learned so far in force. `None` if there is no memory, or nothing was learned.
pub fn freeze() -> Option<()> {
    compose(None, |text, _| follow::adopt(text))?.then_some(())
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
    drop(lock);
    if let Some(text) = before {
        // SAFETY: the model of it is not used any more.
        unsafe { file::drop_text(text) };
    }
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
    let start = vm::map(size_of::<Workshop>())?;
    // SAFETY: fresh zeroes, and ours.
    let shop = unsafe { &mut *(start as *mut Workshop) };
    let shown = compose_in(shop, before, to);
    vm::unmap(start, size_of::<Workshop>());
    shown
}

fn compose_in<T>(
    shop: &mut Workshop,
    before: Option<Model<'_>>,
    to: impl FnOnce(&[u8], &mut Names) -> T,
) -> Option<T> {
    let seen = before.map(|model| model.summary);
    let (mut merger, mut clock) = sampler::show(|rows, mean, clock| {
        let mean = mean.max(seen.map_or(0, |seen| seen.mean));
        let mut merger = Merger::new(&mut shop.room, mean);
        for row in rows {
            merger.add(row, mean, modules::identity_of);
        }
        (merger, clock)
    })?;
    if let Some(program) = program() {
        merger.module(&program);
    }
    let mut runs = 1;
    if let Some(model) = before {
        for (to, module) in shop.known.iter_mut().zip(model.modules()) {
            *to = module;
            merger.module(&module);
        }
        for row in model.rows() {
            merger.add(&row, model.summary.mean, |number| {
                shop.known.get(number).copied()
            });
        }
        clock = clock.saturating_add(model.summary.clock);
        runs += model.summary.runs;
    }
    let mean = merger.mean();
    let (modules, rows) = merger.finish();
    let hash = |place: Place| match modules.get(place.module()) {
        Some(module) => points::hash_of(module, place.offset()),
        None => 0,
    };
    let all = Seen { mean, clock, runs };
    let outcome = decide(rows, all, &hash, &mut shop.scratch, &mut shop.nodes);
    let summary = Summary {
        clock,
        mean,
        saved: outcome.saved as u64,
        runs,
        routed: outcome.routed,
    };
    let nodes = &mut shop.nodes[..outcome.nodes];
    debug_assert!(room(modules.len(), nodes.len(), rows.len()) <= LENGTH_MAX);
    let length = encode(&mut shop.text, &summary, modules, nodes, rows)?;
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
