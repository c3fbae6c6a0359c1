//! The frozen list of rows: `bench-native/rows`.

use anyhow::{Context, Result, bail};
use regex::Regex;
use std::fs;
use std::path::Path;

pub const GROUPS: [&str; 6] = ["small", "threads", "big", "growth", "after-peak", "real"];
/// The group of programs that know nothing of the benchmark.
pub const REAL: &str = "real";

#[derive(Clone)]
pub struct Row {
    pub group: String,
    pub name: String,
    /// A workload of `work/`, or a program of the system, with its arguments
    pub command: Vec<String>,
    /// Its memory depends on how threads happen to run: reported, not judged.
    pub restless: bool,
    pub quick: bool,
}

impl Row {
    pub fn is_real(&self) -> bool {
        self.group == REAL
    }
}

/// The rows whose name matches, of the short list or of all.
pub fn read(root: &Path, pattern: &str, quick: bool) -> Result<Vec<Row>> {
    let path = root.join("bench-native/rows");
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let pattern = Regex::new(pattern).context("BENCH is no regular expression")?;
    let rows: Vec<Row> = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or("").trim())
        .filter(|line| !line.is_empty())
        .map(parse)
        .collect::<Result<_>>()?;
    let rows: Vec<Row> = rows
        .into_iter()
        .filter(|row| (row.quick || !quick) && pattern.is_match(&row.name))
        .collect();
    if rows.is_empty() {
        bail!("no row matches {pattern}");
    }
    Ok(rows)
}

fn parse(line: &str) -> Result<Row> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [group, marked, command @ ..] = words.as_slice() else {
        bail!("rows: {line:?} has no group, name and command");
    };
    if command.is_empty() || !GROUPS.contains(group) {
        bail!("rows: {line:?} has no command, or the group is none of {GROUPS:?}");
    }
    let name = marked.trim_start_matches(['*', '+']);
    let marks = &marked[..marked.len() - name.len()];
    Ok(Row {
        group: (*group).to_owned(),
        name: name.to_owned(),
        command: command.iter().map(|&word| word.to_owned()).collect(),
        restless: marks.contains('*'),
        quick: marks.contains('+'),
    })
}
