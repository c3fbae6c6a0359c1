//! Learning and following models, by call.

use crate::decision::model::Refusal;
use crate::front::follow::{self, Reason};
use crate::front::mode::{self, Mode};
use crate::front::{learn, sampler};
use crate::sys::module;
use crate::sys::thread::set_errno;
use core::ffi::{CStr, c_char, c_int};

/// An answer: 0, or an error number, which is in errno, too.
fn answer(error: c_int) -> c_int {
    if error != 0 {
        set_errno(error);
    }
    error
}

/// Begins to learn which calls' blocks live how long, from nothing. A model that is followed is
/// left aside meanwhile. LOHALLOC_TRAIN in the environment does the same at the start.
///
/// Returns 0, or ENOMEM (also in errno), and then changes nothing. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn lohalloc_train_start() -> c_int {
    module::prepare();
    answer(if learn::start() { 0 } else { libc::ENOMEM })
}

/// Stops learning, and follows the model again that was followed before, if any. What was
/// learned stays, for lohalloc_freeze and lohalloc_model_save.
///
/// Returns 0, or EINVAL (also in errno) if nothing is being learned. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn lohalloc_train_stop() -> c_int {
    answer(if learn::stop() { 0 } else { libc::EINVAL })
}

/// Makes a model of what was learned so far, and follows it from now on. Learning stops; if
/// LOHALLOC_TRAIN in the environment names a file, the model is written there, too, which says in a
/// line if it cannot be. May be called again and again, while threads go on. Takes some
/// milliseconds, and some 6 MiB for them.
///
/// Returns 0, or ENOMEM (also in errno) if there is no memory, or nothing was ever learned: the
/// mode is then as it was. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn lohalloc_freeze() -> c_int {
    answer(match learn::freeze() {
        Some(()) => 0,
        None => libc::ENOMEM,
    })
}

/// Forgets what was learned so far. Learning goes on, from nothing. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn lohalloc_reset_training() {
    sampler::reset();
}

/// Writes what was learned so far to the file `path`. If there is a model in it, both add up; a
/// damaged one is replaced. It is replaced whole: at no moment is it missing, or half written.
///
/// Returns 0, or an error number (also in errno): EINVAL if `path` is NULL or leads to no regular
/// file, EEXIST if something else than a model is in it, EFBIG if it is longer than a model may
/// be, ENOMEM if there is no memory or nothing was ever learned, or that of the system. The file is then as it was. Any
/// thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lohalloc_model_save(path: *const c_char) -> c_int {
    if path.is_null() {
        return answer(libc::EINVAL);
    }
    // SAFETY: the caller's string.
    let path = unsafe { CStr::from_ptr(path) };
    answer(
        learn::save(path)
            .err()
            .map_or(0, |trouble| trouble.number()),
    )
}

/// Reads the model in the file `path`, and follows it from now on. Learning stops. LOHALLOC_MODEL
/// in the environment does the same at the start.
///
/// Returns 0, or an error number (also in errno): EINVAL if `path` is NULL or leads to no regular
/// file, EBADMSG if it is no model or a damaged one, ENOTSUP if it is one of another version of the
/// library, ENOEXEC if it is one of another program, ENOMEM, or that of the system. The mode is
/// then as it was. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lohalloc_model_load(path: *const c_char) -> c_int {
    if path.is_null() {
        return answer(libc::EINVAL);
    }
    module::prepare();
    // SAFETY: the caller's string.
    let path = unsafe { CStr::from_ptr(path) };
    answer(match follow::load(path) {
        Ok(()) => 0,
        Err(Reason::File(trouble)) => trouble.number(),
        Err(Reason::Model(Refusal::Version(_) | Refusal::Classes)) => libc::ENOTSUP,
        Err(Reason::Model(_)) => libc::EBADMSG,
        Err(Reason::OtherProgram) => libc::ENOEXEC,
    })
}

/// What the library does with what it sees of calls: 0 nothing, 1 it learns, 2 it follows a
/// model. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn lohalloc_mode() -> c_int {
    match mode::mode() {
        Mode::Untrained => 0,
        Mode::Training => 1,
        Mode::Inference => 2,
    }
}
