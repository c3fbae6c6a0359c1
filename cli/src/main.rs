//! The command line of lohalloc. `lohalloc --help` is the manual.
//!
//! | module | what it is |
//! |---|---|
//! | `args` | what can be said on the command line |
//! | `trouble` | what went wrong, and the exit code |
//! | `files` | models read and written |
//! | `program` | the library found, commands run under it |
//! | `sites` | what a model says of each call |
//! | `symbols` | the names of calls |
//! | `text` | numbers and bars for people |
//! | `inspect`, `diff`, `merge`, `train`, `tune`, `pages` | a command each |
//! | `measure`, `ranks` | what a run costs; whether one kind of run costs less than another |

mod args;
mod diff;
mod files;
mod inspect;
mod measure;
mod merge;
mod pages;
mod program;
mod ranks;
mod sites;
mod symbols;
mod text;
mod train;
mod trouble;
mod tune;

use args::{Args, Command};
use clap::Parser;
use std::process::ExitCode;
use trouble::Trouble;

fn main() -> ExitCode {
    let done = match Args::parse().command {
        Command::Run(args) => program::run(&args),
        Command::Train(args) => train::train(&args),
        Command::Inspect(args) => inspect::inspect(&args),
        Command::Diff(args) => diff::diff(&args),
        Command::Merge(args) => merge::merge(&args),
        Command::Eval(_) => Err(Trouble::failed(
            "eval is not available yet; nothing was run: `lohalloc tune` compares runs with and without a model",
        )),
        Command::Tune(args) => tune::tune(&args),
        Command::Completions(args) => pages::completions(args.shell),
        Command::Man(args) => pages::man(&args.directory),
    };
    done.unwrap_or_else(|trouble| {
        eprintln!("lohalloc: {trouble}");
        ExitCode::from(trouble.code)
    })
}
