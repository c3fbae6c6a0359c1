//! Tables for people and JSON for programs.

use crate::arms;
use crate::host::Host;
use crate::samples::Samples;
use anyhow::Result;
use serde::Serialize;
use std::fs;
use std::io::IsTerminal;
use std::path::Path;

#[derive(Serialize)]
pub struct Row {
    pub workload: String,
    pub group: String,
    pub arm: String,
    pub unit: String,
    pub ns: f64,
    pub spread: f64,
    pub n: usize,
}

#[derive(Serialize)]
struct Results<'a, T> {
    host: &'a Host,
    rows: &'a [T],
}

pub fn write<T: Serialize>(root: &Path, name: &str, host: &Host, rows: &[T]) -> Result<()> {
    let directory = root.join("bench-native/results");
    fs::create_dir_all(&directory)?;
    let path = directory.join(name);
    fs::write(
        &path,
        serde_json::to_string_pretty(&Results { host, rows })? + "\n",
    )?;
    println!(
        "\nwritten to {}",
        path.strip_prefix(root).unwrap_or(&path).display()
    );
    Ok(())
}

/// The arms of one row of a table, in the order of the columns.
pub struct Line {
    pub title: String,
    pub unit: String,
    pub cells: Vec<(String, Samples)>,
}

impl Line {
    pub fn median(&self, arm: &str) -> Option<f64> {
        self.cells.iter().find(|(name, _)| name == arm)?.1.median()
    }

    /// The best of all arms that are not ours.
    pub fn best_peer(&self) -> Option<(&str, f64)> {
        self.cells
            .iter()
            .filter(|(name, _)| name != arms::OURS && name != arms::AGAIN && name != LOOP)
            .filter_map(|(name, samples)| Some((name.as_str(), samples.median()?)))
            .min_by(|a, b| a.1.total_cmp(&b.1))
    }

    pub fn rows(&self, group: &str) -> impl Iterator<Item = Row> {
        self.cells.iter().filter_map(move |(arm, samples)| {
            Some(Row {
                workload: self.title.clone(),
                group: group.to_owned(),
                arm: arm.clone(),
                unit: self.unit.clone(),
                ns: samples.median()?,
                spread: samples.spread()?,
                n: samples.len(),
            })
        })
    }
}

/// The name of the column that runs no allocator at all.
pub const LOOP: &str = "loop";

/// Three digits that count: enough to compare, few enough to read.
pub fn figure(value: Option<f64>) -> String {
    match value {
        None => "-".to_owned(),
        Some(v) if v < 10.0 => format!("{v:.2}"),
        Some(v) if v < 100.0 => format!("{v:.1}"),
        Some(v) => format!("{v:.0}"),
    }
}

/// Pads the first column to the left and the others to the right.
pub fn print_table(head: &[String], body: &[Vec<String>]) {
    let widths: Vec<usize> = (0..head.len())
        .map(|at| {
            body.iter()
                .chain([&head.to_vec()])
                .map(|row| row[at].chars().count())
                .max()
                .unwrap_or(0)
        })
        .collect();
    print_row(head, &widths);
    println!(
        "{}",
        widths
            .iter()
            .map(|w| "-".repeat(*w))
            .collect::<Vec<_>>()
            .join("  ")
    );
    for row in body {
        print_row(row, &widths);
    }
}

fn print_row(row: &[String], widths: &[usize]) {
    let cells: Vec<String> = row
        .iter()
        .zip(widths)
        .enumerate()
        .map(|(at, (cell, width))| {
            if at == 0 {
                format!("{cell:<width$}")
            } else {
                format!("{cell:>width$}")
            }
        })
        .collect();
    let line = cells.join("  ");
    let line = line.trim_end();
    match () {
        () if !std::io::stdout().is_terminal() => println!("{line}"),
        () if line.contains("LOSS") => println!("\x1b[31m{line}\x1b[0m"),
        () if line.contains("win") => println!("\x1b[32m{line}\x1b[0m"),
        () => println!("{line}"),
    }
}
