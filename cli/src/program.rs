//! The library, and commands that run under it.

use crate::args::{self, Library};
use crate::files::Text;
use crate::trouble::{Trouble, words};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf, absolute};
use std::process::{Command, ExitCode, ExitStatus};
use std::{env, io};

const NAME: &str = "liblohalloc.so";
const NOT_STARTED: &str = "the program was not started";

/// What the library does in a process.
#[derive(Clone, Copy)]
pub enum Mode<'a> {
    Untrained,
    Follow(&'a Path),
    Learn(&'a Path, u32),
}

/// The library's path.
pub fn library(args: &Library) -> Result<PathBuf, Trouble> {
    let found = match &args.library {
        Some(named) if named.is_file() => named.clone(),
        Some(named) => {
            let what = format!("'{}' is no file; {NOT_STARTED}", named.display());
            return Err(Trouble::input(what));
        }
        None => beside_us()?,
    };
    let path = whole(&found)?;
    // The loader has no way to escape them.
    let cut = |byte: &u8| matches!(byte, b' ' | b':');
    if path.as_os_str().as_bytes().iter().any(cut) {
        return Err(Trouble::input(format!(
            "the path of the library, '{}', has a space or a colon, at which LD_PRELOAD would cut it; {NOT_STARTED}",
            path.display()
        )));
    }
    Ok(path)
}

fn beside_us() -> Result<PathBuf, Trouble> {
    let us = env::current_exe().map_err(|error| {
        let what = format!("cannot tell where this program is: {}", words(&error));
        Trouble::failed(format!("{what}; {NOT_STARTED}: name {NAME} with --library"))
    })?;
    let folder = us.parent().unwrap_or(Path::new("/"));
    let places = [folder.join(NAME), folder.join("../lib").join(NAME)];
    let found = places.iter().find(|place| place.is_file()).cloned();
    found.ok_or_else(|| {
        let [here, there] = places.map(|place| place.display().to_string());
        Trouble::input(format!(
            "there is neither '{here}' nor '{there}'; {NOT_STARTED}: name the library with --library"
        ))
    })
}

/// A path that also serves a program that changes its directory.
pub fn whole(path: &Path) -> Result<PathBuf, Trouble> {
    absolute(path).map_err(|error| {
        let what = format!("'{}': {}", path.display(), words(&error));
        Trouble::input(format!("{what}; {NOT_STARTED}"))
    })
}

/// The command, under the library. The paths in `mode` are whole.
pub fn command(library: &Path, program: &args::Program, mode: Mode<'_>) -> Command {
    let (name, rest) = program
        .command
        .split_first()
        .expect("clap asks for a command");
    let mut command = Command::new(name);
    command
        .args(rest)
        .env("LD_PRELOAD", joined(library.as_os_str(), " ", "LD_PRELOAD"))
        .env_remove("LOHALLOC_MODEL")
        .env_remove("LOHALLOC_TRAIN");
    match mode {
        Mode::Untrained => {}
        Mode::Follow(model) => {
            command.env("LOHALLOC_MODEL", model);
        }
        Mode::Learn(model, sample) => {
            let option = OsString::from(format!("sample:{sample}"));
            let before = env::var_os("LOHALLOC_OPTIONS").filter(|options| !options.is_empty());
            // What is said last counts.
            let options = match before {
                Some(mut options) => {
                    options.push(",");
                    options.push(option);
                    options
                }
                None => option,
            };
            command
                .env("LOHALLOC_TRAIN", model)
                .env("LOHALLOC_OPTIONS", options);
        }
    }
    command
}

/// `first`, and what a variable of ours has.
fn joined(first: &OsStr, between: &str, variable: &str) -> OsString {
    let mut whole = first.to_owned();
    if let Some(rest) = env::var_os(variable).filter(|rest| !rest.is_empty()) {
        whole.push(between);
        whole.push(rest);
    }
    whole
}

/// What to say of a command that did not start.
pub fn not_started(program: &args::Program, error: &io::Error) -> Trouble {
    Trouble::failed(format!(
        "cannot start '{}': {}; nothing was run",
        program.command[0].display(),
        words(error)
    ))
}

/// The exit code that stands for the end of a command.
pub fn ended(status: ExitStatus) -> ExitCode {
    let signal = || 128 + status.signal().unwrap_or(0);
    ExitCode::from(status.code().unwrap_or_else(signal) as u8)
}

/// Runs a command in place of us.
pub fn run(args: &args::Run) -> Result<ExitCode, Trouble> {
    let library = library(&args.library)?;
    let model = args.model.as_deref().map(whole).transpose()?;
    if let Some(model) = model.as_ref().filter(|model| !model.is_dir()) {
        Text::read(model, NOT_STARTED)?.model(NOT_STARTED)?;
    }
    let mode = match &model {
        Some(model) => Mode::Follow(model),
        None => Mode::Untrained,
    };
    let error = command(&library, &args.program, mode).exec();
    Err(not_started(&args.program, &error))
}
