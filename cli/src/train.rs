//! `train`.

use crate::args::Train;
use crate::files::{Text, may_replace};
use crate::program::{Mode, command, ended, library, not_started, whole};
use crate::text::{count, size};
use crate::trouble::Trouble;
use std::path::Path;
use std::process::ExitCode;

const NOT_STARTED: &str = "the program was not started, and the file stays as it is";

pub fn train(args: &Train) -> Result<ExitCode, Trouble> {
    let library = library(&args.library)?;
    let output = whole(&args.output)?;
    let folder = output.parent().unwrap_or(Path::new("/"));
    if !folder.is_dir() {
        let what = format!("'{}' is no directory", folder.display());
        return Err(Trouble::input(format!(
            "{what}; the program was not started"
        )));
    }
    let many = output.is_dir();
    if !many {
        may_replace(&output, NOT_STARTED)?;
    }
    let runs = || Some(Text::read(&output, "").ok()?.model("").ok()?.summary.runs);
    let before = runs();
    let status = command(&library, &args.program, Mode::Learn(&output, args.sample))
        .status()
        .map_err(|error| not_started(&args.program, &error))?;
    let name = args.output.display();
    if many {
        eprintln!("lohalloc: the models are in '{name}'");
    } else if runs() == before {
        eprintln!(
            "lohalloc: the program left no model in '{name}': it ended by a signal or by _exit, or does not load the library"
        );
        if status.success() {
            return Ok(ExitCode::FAILURE);
        }
    } else {
        let text = Text::read(&output, "nothing is known of it")?;
        let model = text.model("nothing is known of it")?;
        eprintln!(
            "lohalloc: '{name}' has learned from {}, {} allocated; {}, {}; `lohalloc inspect` shows it",
            count(model.summary.runs as usize, "run", "runs"),
            size(model.summary.clock),
            count(model.row_count(), "row of evidence", "rows of evidence"),
            count(model.nodes(), "route", "routes"),
        );
    }
    Ok(ended(status))
}
