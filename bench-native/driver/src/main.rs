//! Measures lohalloc against its peers. The scripts beside the package build
//! what it needs and call it; each subcommand is one of them.

mod arms;
mod bench;
mod callgrind;
mod child;
mod compare;
mod disassembly;
mod fast_path;
mod host;
mod instructions;
mod judge;
mod labels;
mod launch;
mod micro;
#[cfg(feature = "png")]
mod pixels;
mod plot;
mod report;
mod rows;
mod samples;
mod service;
mod startup;
mod step;

use anyhow::Result;
use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Parser)]
#[command(about, version)]
struct Arguments {
    /// The checkout whose bench-native/ and build/ are used
    #[arg(long, default_value = ".", hide = true)]
    root: PathBuf,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// CPU time and peak memory of workloads and programs, against the peers
    Bench(bench::Options),
    /// ns per operation of every row, rounds interleaved over all arms
    Micro(micro::Options),
    /// Instructions per malloc and free, counted by callgrind
    Instructions(instructions::Options),
    /// Wall time and page faults of a trivial process
    Startup(startup::Options),
    /// The instructions of the fast paths against the golden list
    FastPath(fast_path::Options),
}

/// What a measurement found: whether lohalloc meets every bar of it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Met,
    Missed,
}

fn main() -> Result<ExitCode> {
    let arguments = Arguments::parse();
    let root = arguments.root.canonicalize()?;
    let verdict = match arguments.command {
        Command::Bench(options) => bench::run(&root, &options),
        Command::Micro(options) => micro::run(&root, &options),
        Command::Instructions(options) => instructions::run(&root, &options),
        Command::Startup(options) => startup::run(&root, &options),
        Command::FastPath(options) => fast_path::run(&root, &options),
    }?;
    Ok(match verdict {
        Verdict::Met => ExitCode::SUCCESS,
        Verdict::Missed => ExitCode::FAILURE,
    })
}
