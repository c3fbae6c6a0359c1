//! Following a model: found by its name, checked, put in force.

use super::learn::{file_of, program};
use super::mode::{self, Mode};
use crate::backend::meta;
use crate::base::atomic::{AtomicPtr, Ordering};
use crate::decision::model::{LENGTH_MAX, Model, Refusal};
use crate::options;
use crate::sys::auxv::os_page;
use crate::sys::file::{self, PATH_MAX, Trouble};
use crate::sys::{console, vm};
use core::ffi::CStr;
use core::fmt::{self, Display};
use core::ptr::null_mut;

/// The model in force. Models stay in memory for ever: a thread may be reading one.
static MODEL: AtomicPtr<Model<'static>> = AtomicPtr::new(null_mut());

/// Why a model is not followed.
pub enum Reason {
    File(Trouble),
    Model(Refusal),
    /// It is of other programs.
    OtherProgram,
}

impl Display for Reason {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::File(trouble) => trouble.fmt(to),
            Reason::Model(refusal) => refusal.fmt(to),
            Reason::OtherProgram => to.write_str("is of another program"),
        }
    }
}

/// The model in force.
#[inline]
pub fn model() -> Option<&'static Model<'static>> {
    // Acquire: who finds the model finds it whole.
    // SAFETY: models stay.
    unsafe { MODEL.load(Ordering::Acquire).as_ref() }
}

/// Follows the model that the environment names, or says why not.
pub fn load_named(path: &CStr) {
    let mut name = [0; PATH_MAX];
    let quiet = !options::verbose();
    let file = match file_of(path, &mut name) {
        Ok(file) => file,
        Err(Trouble::Error(libc::ENOSYS)) if quiet => return,
        Err(trouble) => return say(path, &Reason::File(trouble)),
    };
    let one_of_many = file.to_bytes() != path.to_bytes();
    match load(file) {
        Ok(()) => {}
        // Each program that the environment reaches comes by here.
        Err(Reason::File(Trouble::Error(libc::ENOENT))) if one_of_many && quiet => {}
        Err(Reason::OtherProgram) if quiet => {}
        // A process that may do nothing.
        Err(Reason::File(Trouble::Error(libc::ENOSYS))) if quiet => {}
        Err(reason) => say(file, &reason),
    }
}

fn say(path: &CStr, reason: &Reason) {
    let path = path.to_str().unwrap_or("(not UTF-8)");
    match reason {
        Reason::File(trouble) => console::report(format_args!(
            "cannot read the model '{path}': {trouble}; ignored, running untrained"
        )),
        _ => console::report(format_args!(
            "the model '{path}' {reason}; ignored, running untrained"
        )),
    }
}

/// Follows the model in a file.
pub fn load(path: &CStr) -> Result<(), Reason> {
    let text = file::load(path, LENGTH_MAX).map_err(Reason::File)?;
    put_in_force(text).inspect_err(|_| {
        // SAFETY: nobody reads a model that was refused.
        unsafe { file::drop_text(text) };
    })
}

/// Follows a model that was just made. False if there is no memory for it.
pub fn adopt(text: &[u8]) -> bool {
    let Some(start) = vm::map(text.len().next_multiple_of(os_page())) else {
        return false;
    };
    // SAFETY: just mapped, and ours for ever.
    let copy = unsafe { core::slice::from_raw_parts_mut(start as *mut u8, text.len()) };
    copy.copy_from_slice(text);
    put_in_force(copy).is_ok()
}

fn put_in_force(text: &'static [u8]) -> Result<(), Reason> {
    let model = Model::parse(text).map_err(Reason::Model)?;
    let program = program();
    if !model.modules().any(|module| Some(module) == program) {
        return Err(Reason::OtherProgram);
    }
    let place = meta::alloc(size_of::<Model>(), align_of::<Model>()).cast::<Model>();
    if place.is_null() {
        return Err(Reason::File(Trouble::NoMemory));
    }
    // SAFETY: fresh memory, which nobody else knows.
    unsafe { place.write(model) };
    // Release: see `model`.
    MODEL.store(place, Ordering::Release);
    // Heaps forget the routes that they know.
    mode::set(Mode::Inference);
    Ok(())
}
