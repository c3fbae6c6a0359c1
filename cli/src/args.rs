//! What can be said on the command line.

use clap::{Args as Arguments, Parser, Subcommand, ValueHint};
use clap_complete::Shell;
use std::ffi::OsString;
use std::path::PathBuf;

const EXIT: &str = "\
Exit codes:
  0  done
  1  it could not be done; diff: the models differ; tune: no model won
  2  the arguments, or a file that they name, cannot be used
run and train end as CMD ends: with its exit code, or 128 and the number of the signal that ended it.";

/// Trains, inspects, compares and merges models of where memory should lie, and runs programs
/// under the allocator lohalloc.
#[derive(Parser)]
#[command(name = "lohalloc", version, after_help = EXIT, arg_required_else_help = true)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Run CMD with its memory from lohalloc
    Run(Run),
    /// Run CMD, watch how long its blocks live, and write a model
    #[command(
        long_about = "Runs CMD, watches how long its blocks live, and writes a model at its end. A model that is there \
        already learns on: the evidence of both adds up. Give it work like that which matters; CMD must end by itself \
        or by exit(), not by a signal. Programs that CMD starts learn into the same model."
    )]
    Train(Train),
    /// Show what a model has seen and what it decides
    Inspect(Inspect),
    /// Show where two models decide differently
    Diff(Diff),
    /// Make one model of several, of different runs or machines
    Merge(Merge),
    /// Estimate what a model would save in a run of CMD (not available yet)
    Eval(Eval),
    /// Train models for CMD, and keep the best if it beats running without one
    #[command(
        long_about = "Trains models for CMD, runs it with each of them and without, in turns, and keeps the best model if \
        it wins: if it needs less time or memory, by the Mann-Whitney test, and not more of anything else. CMD must do \
        the same work each time; it gets no input, and its output is dropped."
    )]
    Tune(Tune),
    /// Print the completions of a shell
    Completions(Completions),
    /// Write the man pages
    Man(Man),
}

/// How to find the library.
#[derive(Arguments)]
pub struct Library {
    /// The shared library [default: liblohalloc.so beside this program, or in ../lib]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub library: Option<PathBuf>,
}

#[derive(Arguments)]
pub struct Program {
    /// The program to run, and its arguments
    #[arg(value_name = "CMD", required = true, trailing_var_arg = true, allow_hyphen_values = true,
          value_hint = ValueHint::CommandWithArguments)]
    pub command: Vec<OsString>,
}

#[derive(Arguments)]
pub struct Run {
    /// The model to follow, or a directory with one for each program [default: none]
    #[arg(short, long, value_name = "MODEL", value_hint = ValueHint::AnyPath)]
    pub model: Option<PathBuf>,
    #[command(flatten)]
    pub library: Library,
    #[command(flatten)]
    pub program: Program,
}

#[derive(Arguments)]
pub struct Train {
    /// Where the model goes: a file, or a directory that gets one for each program
    #[arg(short, long, value_name = "MODEL", value_hint = ValueHint::AnyPath)]
    pub output: PathBuf,
    /// Bytes allocated from one sample to the next, in the mean; fewer are for short runs
    #[arg(long, value_name = "BYTES", default_value_t = 65536, value_parser = clap::value_parser!(u32).range(1..=1 << 30))]
    pub sample: u32,
    #[command(flatten)]
    pub library: Library,
    #[command(flatten)]
    pub program: Program,
}

#[derive(Arguments)]
pub struct Inspect {
    #[arg(value_name = "MODEL", value_hint = ValueHint::FilePath)]
    pub model: PathBuf,
    /// Print all of it as JSON: sizes in bytes, lifetimes in classes of 8 KiB, 16 KiB, … allocated meanwhile
    #[arg(long)]
    pub json: bool,
    /// Files that name the calls: programs, libraries, debug files, or directories with these; the
    /// system's libraries are searched too
    #[arg(long, value_name = "PATH", num_args = 1.., value_hint = ValueHint::AnyPath)]
    pub symbols: Vec<PathBuf>,
    /// A line for each context and size class, in place of each site
    #[arg(long)]
    pub contexts: bool,
    /// Lines to show, those with most bytes first; 0 for all
    #[arg(short = 'n', long, value_name = "LINES", default_value_t = 30)]
    pub top: usize,
}

#[derive(Arguments)]
pub struct Diff {
    #[arg(value_name = "A", value_hint = ValueHint::FilePath)]
    pub one: PathBuf,
    #[arg(value_name = "B", value_hint = ValueHint::FilePath)]
    pub other: PathBuf,
    /// Files that name the calls, as for inspect
    #[arg(long, value_name = "PATH", num_args = 1.., value_hint = ValueHint::AnyPath)]
    pub symbols: Vec<PathBuf>,
    /// Lines to show, those with most bytes first; 0 for all
    #[arg(short = 'n', long, value_name = "LINES", default_value_t = 30)]
    pub top: usize,
}

#[derive(Arguments)]
pub struct Merge {
    /// The models, which stay as they are
    #[arg(value_name = "MODEL", required = true, num_args = 1.., value_hint = ValueHint::FilePath)]
    pub models: Vec<PathBuf>,
    /// Where the model of all goes
    #[arg(short, long, value_name = "MODEL", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
}

#[derive(Arguments)]
pub struct Eval {
    #[arg(value_name = "MODEL", value_hint = ValueHint::FilePath)]
    pub model: PathBuf,
    #[command(flatten)]
    pub program: Program,
}

#[derive(Arguments)]
pub struct Tune {
    /// Where the best model goes, if it wins
    #[arg(short, long, value_name = "MODEL", default_value = "tuned.lohalloc", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
    /// Measured runs of each kind
    #[arg(short, long, value_name = "RUNS", default_value_t = 10, value_parser = clap::value_parser!(u32).range(7..=1000))]
    pub runs: u32,
    #[command(flatten)]
    pub library: Library,
    #[command(flatten)]
    pub program: Program,
}

#[derive(Arguments)]
pub struct Completions {
    pub shell: Shell,
}

#[derive(Arguments)]
pub struct Man {
    /// The directory that gets them
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub directory: PathBuf,
}

#[cfg(test)]
mod tests {
    use super::Args;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }
}
