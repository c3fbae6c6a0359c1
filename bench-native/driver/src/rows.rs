//! The frozen lists of rows: `bench-native/rows` and `rows-full`.

use anyhow::{Context, Result, bail};
use regex::Regex;
use std::fs;
use std::path::Path;

pub const GROUPS: [&str; 9] = [
    "small",
    "threads",
    "big",
    "growth",
    "after-peak",
    "real",
    "c",
    "cpp",
    "rust",
];
/// The group of programs that know nothing of the benchmark.
pub const REAL: &str = "real";
/// The group of workloads whose memory is looked at again when they are idle.
pub const AFTER_PEAK: &str = "after-peak";

#[derive(Clone)]
pub struct Row {
    pub group: String,
    pub name: String,
    /// A workload of `work/`, or a program of the system, with its arguments
    pub command: Vec<String>,
    /// What drives the command, where that is a server, and ends it
    pub drive: Vec<String>,
    /// Its memory depends on how threads happen to run: reported, not judged.
    pub restless: bool,
    pub quick: bool,
}

impl Row {
    pub fn is_real(&self) -> bool {
        self.group == REAL
    }
}

/// Which rows a run takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum List {
    /// Those that are marked so
    Quick,
    Rows,
    /// Those of `rows-full` as well
    Full,
}

/// The rows of a list whose name matches.
pub fn read(root: &Path, pattern: &str, list: List) -> Result<Vec<Row>> {
    let pattern = Regex::new(pattern).context("BENCH is no regular expression")?;
    let files: &[&str] = match list {
        List::Full => &["rows", "rows-full"],
        _ => &["rows"],
    };
    let mut rows = Vec::new();
    for file in files {
        let path = root.join("bench-native").join(file);
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        for line in text.lines() {
            let line = line.split('#').next().unwrap_or("").trim();
            if !line.is_empty() {
                rows.push(parse(line)?);
            }
        }
    }
    rows.retain(|row| (row.quick || list != List::Quick) && pattern.is_match(&row.name));
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
    let mut parts = command.split(|&word| word == "&");
    let mut part = || -> Vec<String> {
        let words = parts.next().unwrap_or_default();
        words.iter().map(|&word| word.to_owned()).collect()
    };
    let (command, drive) = (part(), part());
    if command.is_empty() || !GROUPS.contains(group) {
        bail!("rows: {line:?} has no command, or the group is none of {GROUPS:?}");
    }
    let name = marked.trim_start_matches(['*', '+']);
    let marks = &marked[..marked.len() - name.len()];
    Ok(Row {
        group: (*group).to_owned(),
        name: name.to_owned(),
        command,
        drive,
        restless: marks.contains('*'),
        quick: marks.contains('+'),
    })
}
