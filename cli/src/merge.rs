//! `merge`.

use crate::args::Merge;
use crate::files::{Text, may_replace, replace};
use crate::text::count;
use crate::trouble::Trouble;
use lohalloc::tools;
use std::process::ExitCode;

const NOTHING_WRITTEN: &str = "nothing was written";

pub fn merge(args: &Merge) -> Result<ExitCode, Trouble> {
    may_replace(&args.output, NOTHING_WRITTEN)?;
    let read = |path: &std::path::PathBuf| Text::read(path, NOTHING_WRITTEN);
    let texts = args
        .models
        .iter()
        .map(read)
        .collect::<Result<Vec<_>, _>>()?;
    let parsed = texts.iter().map(|text| text.model(NOTHING_WRITTEN));
    let models = parsed.collect::<Result<Vec<_>, _>>()?;
    let merged = tools::merge(&models).ok_or_else(|| {
        Trouble::failed(format!(
            "these models together speak of more than 512 modules; {NOTHING_WRITTEN}"
        ))
    })?;
    replace(&args.output, &merged)?;
    println!(
        "'{}' has the evidence of {}",
        args.output.display(),
        count(models.len(), "model", "models")
    );
    Ok(ExitCode::SUCCESS)
}
