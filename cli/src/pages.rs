//! What a shell and `man` show of the command line.

use crate::args::Args;
use crate::trouble::{Trouble, words};
use clap::CommandFactory;
use clap_complete::Shell;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

pub fn completions(shell: Shell) -> Result<ExitCode, Trouble> {
    let mut text = vec![];
    clap_complete::generate(shell, &mut Args::command(), "lohalloc", &mut text);
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints; that nobody reads on is no trouble.
pub fn print(text: &[u8]) -> Result<(), Trouble> {
    let mut to = io::stdout().lock();
    match to.write_all(text).and_then(|()| to.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            let what = format!("cannot write to the standard output: {}", words(&error));
            Err(Trouble::failed(format!("{what}; not all was shown")))
        }
        _ => Ok(()),
    }
}

pub fn man(directory: &Path) -> Result<ExitCode, Trouble> {
    clap_mangen::generate_to(Args::command(), directory).map_err(|error| {
        let (place, why) = (directory.display(), words(&error));
        Trouble::failed(format!(
            "cannot write man pages to '{place}': {why}; not all were written"
        ))
    })?;
    Ok(ExitCode::SUCCESS)
}
