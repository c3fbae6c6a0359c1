//! ns per operation of every row, each in a process of its own, the rounds
//! interleaved over all arms so that a slow minute of the machine hits them all.

use crate::Verdict;
use crate::arms::{self, AGAIN, Arm, OURS};
use crate::child;
use crate::host::{self, Host};
use crate::report::{self, LOOP, Line, figure};
use crate::samples::Samples;
use crate::service::Service;
use anyhow::{Context, Result, bail};
use clap::Args;
use regex::Regex;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The bar: lohalloc may cost this much more than the best peer of the same run.
const BAR: f64 = 1.03;
const WIN: f64 = 0.97;
/// An A/A ratio farther from one than this says that the run was disturbed.
const NOISE: f64 = 0.05;

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    arms: arms::Choice,
    /// Only rows whose name or title matches this regular expression
    #[arg(long, env = "BENCH", default_value = "")]
    bench: String,
    /// Processes per row and arm; rows of whole heaps take fewer
    #[arg(long, env = "ROUNDS", default_value_t = 7)]
    rounds: usize,
    /// Repetitions of about 1 ms in each process, of which the best counts
    #[arg(long, env = "REPS", default_value_t = 40)]
    reps: usize,
    /// Take the best of the rounds, not their median: for a machine that is busy
    #[arg(long, env = "BEST", value_parser = clap::builder::FalseyValueParser::new())]
    best: bool,
    /// Size of the large heap; 0 leaves the row out
    #[arg(long, env = "BENCH_HEAP_MIB")]
    heap_mib: Option<u64>,
}

#[derive(Clone)]
struct Workload {
    name: String,
    unit: String,
    title: String,
}

impl Workload {
    /// Whole heaps take seconds, and their figures vary little.
    fn rounds(&self, asked: usize) -> usize {
        match self.name.as_str() {
            "heap-large" => asked.min(1),
            "idle-rss" => asked.min(2),
            "live-allocate" | "live-free" | "heap-64m" => asked.min(5),
            _ => asked,
        }
    }

    fn reps(&self, asked: usize) -> usize {
        if self.name.starts_with("heap-") {
            asked.min(3)
        } else {
            asked
        }
    }

    fn is_loop(&self) -> bool {
        ![
            "heap-large",
            "heap-64m",
            "idle-rss",
            "live-allocate",
            "live-free",
            "loop",
        ]
        .contains(&self.name.as_str())
    }
}

#[derive(Deserialize)]
struct Measured {
    best: f64,
    control: Option<f64>,
    #[serde(flatten)]
    service: Service,
}

/// Samples by row, then by arm.
type Collected = BTreeMap<(String, String), Samples>;

pub fn run(root: &Path, options: &Options) -> Result<Verdict> {
    let program = root.join("build/bench/micro");
    let arms = arms::choose(root, &options.arms, &arms::PEERS, true)?;
    let heap_mib = options.heap_mib.unwrap_or_else(default_heap);
    let workloads = workloads(&program, &options.bench, heap_mib)?;
    if workloads.is_empty() {
        bail!("no row matches {:?}", options.bench);
    }
    let host = Host::read(root);
    host.print();
    let runner = Runner {
        program,
        reps: options.reps,
        heap_mib,
    };
    let (mut collected, mut failures) = collect(&runner, &arms, &workloads, options.rounds);
    if options.best {
        collected
            .values_mut()
            .for_each(|samples| *samples = samples.keep_best());
    }
    let lines = lines(&arms, &workloads, &collected);
    let statistic = if options.best { "best" } else { "median" };
    let losses = print(&arms, &lines, statistic);
    let rows: Vec<_> = lines.iter().flat_map(|line| line.rows("micro")).collect();
    report::write(root, "micro.json", &host, &rows)?;
    failures.dedup();
    for failure in &failures {
        println!("FAILED  {failure}");
    }
    Ok(if losses || !failures.is_empty() {
        Verdict::Missed
    } else {
        Verdict::Met
    })
}

/// A heap far beyond every cache, where there is plenty of memory for it.
fn default_heap() -> u64 {
    if host::memory_kib("MemAvailable") > 6 << 20 {
        1024
    } else {
        0
    }
}

fn workloads(program: &Path, pattern: &str, heap_mib: u64) -> Result<Vec<Workload>> {
    let pattern = Regex::new(pattern).context("BENCH is no regular expression")?;
    let list = child::output(Command::new(program).arg("--list"))?;
    let all = list.lines().filter_map(|line| {
        let mut fields = line.splitn(3, '\t').map(str::to_owned);
        let mut row = Workload {
            name: fields.next()?,
            unit: fields.next()?,
            title: fields.next()?,
        };
        if row.name == "heap-large" {
            row.title = format!("replace in a heap of {heap_mib} MiB");
        }
        Some(row)
    });
    Ok(all
        .filter(|row| row.name != "heap-large" || heap_mib > 0)
        .filter(|row| pattern.is_match(&row.name) || pattern.is_match(&row.title))
        .collect())
}

struct Runner {
    program: PathBuf,
    reps: usize,
    heap_mib: u64,
}

impl Runner {
    fn measure(&self, arm: &Arm, row: &Workload, loop_only: bool) -> Result<Measured> {
        let mut command = child::under(arm, &self.program);
        command.env("BENCH_HEAP_MIB", self.heap_mib.to_string());
        if loop_only {
            command.arg("--loop");
        }
        command.arg(&row.name).arg(row.reps(self.reps).to_string());
        let measured: Measured = serde_json::from_str(&child::output(&mut command)?)?;
        measured.service.check(arm)?;
        Ok(measured)
    }
}

fn collect(
    runner: &Runner,
    arms: &[Arm],
    workloads: &[Workload],
    rounds: usize,
) -> (Collected, Vec<String>) {
    let mut collected = Collected::new();
    let mut failures = Vec::new();
    let bare = Arm {
        name: LOOP.to_owned(),
        library: None,
        stands_in: false,
    };
    for round in 0..rounds {
        for row in workloads.iter().filter(|row| round < row.rounds(rounds)) {
            progress(&format!("round {}/{rounds}  {}", round + 1, row.title));
            let mut turn: Vec<&Arm> = arms.iter().collect();
            if row.is_loop() {
                turn.push(&bare);
            }
            // Each arm comes first, in the middle and last: none always follows the same.
            let places = turn.len();
            turn.rotate_left(round % places);
            if round % 2 == 1 {
                turn.reverse();
            }
            for arm in turn {
                match runner.measure(arm, row, arm.name == LOOP) {
                    Ok(measured) => {
                        let key = |name: &str| (name.to_owned(), arm.name.clone());
                        collected
                            .entry(key(&row.name))
                            .or_default()
                            .push(measured.best);
                        if let Some(control) = measured.control {
                            collected
                                .entry(key(&control_of(&row.name)))
                                .or_default()
                                .push(control);
                        }
                    }
                    Err(error) => failures.push(format!("{} {}: {error:#}", row.name, arm.name)),
                }
            }
        }
    }
    progress("");
    failures.sort();
    (collected, failures)
}

/// Where the measurement stands, for somebody who watches.
fn progress(text: &str) {
    if std::io::stderr().is_terminal() {
        eprint!("\r{text:<70}\r");
    }
}

fn control_of(row: &str) -> String {
    format!("{row}-control")
}

fn lines(arms: &[Arm], workloads: &[Workload], collected: &Collected) -> Vec<Line> {
    let line = |name: &str, title: String, unit: &str| {
        let names = std::iter::once(LOOP).chain(arms.iter().map(|arm| arm.name.as_str()));
        let cells = names
            .map(|arm| {
                (
                    arm.to_owned(),
                    collected
                        .get(&(name.to_owned(), arm.to_owned()))
                        .cloned()
                        .unwrap_or_default(),
                )
            })
            .collect();
        Line {
            title,
            unit: unit.to_owned(),
            cells,
        }
    };
    let mut lines = Vec::new();
    for row in workloads {
        lines.push(line(&row.name, row.title.clone(), &row.unit));
        if row.name.starts_with("heap-") {
            lines.push(line(
                &control_of(&row.name),
                format!("{}, touch only", row.title),
                &row.unit,
            ));
        }
    }
    lines
}

/// Prints the table; true when a row is lost.
fn print(arms: &[Arm], lines: &[Line], statistic: &str) -> bool {
    let ours = arms.iter().any(Arm::is_ours);
    let mut head = vec!["ns per operation".to_owned(), LOOP.to_owned()];
    head.extend(
        arms.iter()
            .filter(|arm| arm.name != AGAIN)
            .map(|arm| arm.name.clone()),
    );
    head.extend(["spread", "best peer"].map(str::to_owned));
    if ours {
        head.extend(["ours/best", "A/A", "verdict"].map(str::to_owned));
    }
    let mut counts = BTreeMap::new();
    let body: Vec<Vec<String>> = lines
        .iter()
        .map(|line| row_of(line, ours, &mut counts))
        .collect();
    report::print_table(&head, &body);
    println!();
    println!(
        "{statistic} over the rounds of the best repetition, loop included; spread: distance of the quartiles,"
    );
    println!(
        "of lohalloc where it runs, else the widest; win below {WIN}, LOSS above {BAR} x the best peer"
    );
    if ours {
        let count = |verdict: &str| counts.get(verdict).copied().unwrap_or(0);
        println!(
            "{} win, {} level, {} LOSS",
            count("win"),
            count("level"),
            count("LOSS")
        );
    }
    counts.contains_key("LOSS")
}

fn row_of(line: &Line, ours: bool, counts: &mut BTreeMap<&'static str, usize>) -> Vec<String> {
    let title = if line.unit == "ns" {
        line.title.clone()
    } else {
        format!("{} [{}]", line.title, line.unit)
    };
    let mut row = vec![title];
    row.extend(
        line.cells
            .iter()
            .filter(|(arm, _)| arm != AGAIN)
            .map(|(_, samples)| figure(samples.median())),
    );
    let spreads = line
        .cells
        .iter()
        .filter(|(arm, _)| !ours || arm == OURS)
        .filter_map(|(_, s)| s.spread());
    row.push(
        spreads
            .fold(None, |widest: Option<f64>, s| {
                Some(widest.map_or(s, |w| w.max(s)))
            })
            .map_or_else(
                || "-".to_owned(),
                |spread| format!("{:.0}%", spread * 100.0),
            ),
    );
    let best = line.best_peer();
    row.push(best.map_or("-", |(name, _)| name).to_owned());
    if ours {
        let mine = line.median(OURS);
        let to_best = mine.zip(best).map(|(mine, (_, best))| ratio(mine, best));
        let control = mine
            .zip(line.median(AGAIN))
            .map(|(mine, again)| ratio(mine, again));
        let judged = !line.title.starts_with("loop only") && !line.title.ends_with("touch only");
        row.push(ratio_text(to_best));
        row.push(ratio_text(control));
        row.push(match to_best {
            Some(ratio) if judged => {
                let verdict = verdict(ratio);
                *counts.entry(verdict).or_default() += 1;
                let noisy = control.is_some_and(|control| (control - 1.0).abs() > NOISE);
                if noisy {
                    format!("{verdict} (noisy)")
                } else {
                    verdict.to_owned()
                }
            }
            _ => String::new(),
        });
    }
    row
}

fn ratio(mine: f64, best: f64) -> f64 {
    // A share of memory can be nothing at all; a hundredth is nothing, too.
    mine.max(0.01) / best.max(0.01)
}

fn ratio_text(ratio: Option<f64>) -> String {
    ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}"))
}

fn verdict(ratio: f64) -> &'static str {
    if ratio > BAR {
        "LOSS"
    } else if ratio < WIN {
        "win"
    } else {
        "level"
    }
}
