//! The full comparison: workloads and real programs, each a process of its own, over all arms in
//! interleaved rounds; CPU time and peak memory against the best peer of the row.

use crate::Verdict;
use crate::arms::{self, Arm};
use crate::host::Host;
use crate::launch::{self, Cost};
use crate::rows::{self, List, Row};
use crate::samples::Samples;
use crate::{judge, plot, report};
use anyhow::Result;
use clap::Args;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::Path;

/// Rounds in which a workload that is about it stays idle for a second, and tells what is resident then.
const IDLE_ROUNDS: usize = 2;

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    arms: arms::Choice,
    /// Only rows whose name matches this regular expression
    #[arg(long, env = "BENCH", default_value = "")]
    bench: String,
    /// Processes per row and arm, interleaved [default: 12, with --quick 3]
    #[arg(long, env = "ROUNDS")]
    rounds: Option<usize>,
    /// Only the rows of the short list
    #[arg(long)]
    quick: bool,
    /// The rows of rows-full and all peers as well
    #[arg(long, conflicts_with = "quick")]
    full: bool,
}

/// What one arm's processes cost on one row, round by round.
#[derive(Default)]
pub struct Costs {
    pub cpu: Samples,
    pub wall: Samples,
    pub peak: Samples,
    pub after: Samples,
    pub faults: Samples,
}

impl Costs {
    fn push(&mut self, cost: &Cost, idle: bool) {
        self.cpu.push(cost.cpu_s);
        self.peak.push(cost.peak_kib);
        self.faults.push(cost.faults);
        if !idle {
            self.wall.push(cost.wall_s);
        }
        if let Some(after) = cost.after_kib {
            self.after.push(after);
        }
    }
}

/// By row, then by arm.
pub type Collected = BTreeMap<String, BTreeMap<String, Costs>>;

pub fn run(root: &Path, options: &Options) -> Result<Verdict> {
    let (list, name, peers) = match (options.quick, options.full) {
        (true, _) => (List::Quick, "bench-quick", &arms::MAIN[..]),
        (_, true) => (List::Full, "bench-full", &arms::PEERS[..]),
        _ => (List::Rows, "bench", &arms::MAIN[..]),
    };
    let arms = arms::choose(root, &options.arms, peers, true)?;
    let rows = rows::read(root, &options.bench, list)?;
    let rounds = options.rounds.unwrap_or(if options.quick { 3 } else { 12 });
    let host = Host::read(root);
    host.print();
    let (collected, failures) = collect(root, &arms, &rows, rounds);
    let verdict = judge::print(&arms, &rows, &collected);
    for failure in &failures {
        println!("failed: {failure}");
    }
    report::write(
        root,
        &format!("{name}.json"),
        &host,
        &figures(&rows, &collected),
    )?;
    plot::write(root, name, &judge::means(&arms, &rows, &collected))?;
    Ok(match (verdict, failures.is_empty()) {
        (Verdict::Met, true) => Verdict::Met,
        _ => Verdict::Missed,
    })
}

fn collect(root: &Path, arms: &[Arm], rows: &[Row], rounds: usize) -> (Collected, Vec<String>) {
    let mut collected = Collected::new();
    let mut failures = Vec::new();
    let mut turn: Vec<&Arm> = arms.iter().collect();
    let mut order = fastrand::Rng::with_seed(0);
    for round in 0..rounds {
        for row in rows {
            progress(&format!("round {}/{rounds}  {}", round + 1, row.name));
            launch::warm_the_host();
            order.shuffle(&mut turn);
            let idle = round < IDLE_ROUNDS && row.group == rows::AFTER_PEAK;
            for arm in &turn {
                match launch::run(root, arm, row, idle) {
                    Ok(cost) => collected
                        .entry(row.name.clone())
                        .or_default()
                        .entry(arm.name.clone())
                        .or_default()
                        .push(&cost, idle),
                    Err(error) => failures.push(format!("{} {}: {error:#}", row.name, arm.name)),
                }
            }
        }
    }
    progress("");
    failures.sort();
    failures.dedup();
    (collected, failures)
}

/// A line that the next one overwrites, where somebody watches.
fn progress(text: &str) {
    if std::io::stderr().is_terminal() {
        eprint!("\r\x1b[K{text}");
    }
}

/// One arm's row in the file of results.
#[derive(Serialize)]
struct Figure {
    workload: String,
    group: String,
    arm: String,
    cpu_s: Option<f64>,
    wall_s: Option<f64>,
    peak_kib: Option<f64>,
    after_kib: Option<f64>,
    faults: Option<f64>,
    n: usize,
    /// That this arm and lohalloc take equally long (Mann and Whitney's U), uncorrected
    p: Option<f64>,
}

fn figures(rows: &[Row], collected: &Collected) -> Vec<Figure> {
    let mut figures = Vec::new();
    for row in rows {
        let Some(of_row) = collected.get(&row.name) else {
            continue;
        };
        let ours = of_row.get(arms::OURS);
        for (arm, costs) in of_row {
            figures.push(Figure {
                workload: row.name.clone(),
                group: row.group.clone(),
                arm: arm.clone(),
                cpu_s: costs.cpu.median(),
                wall_s: costs.wall.median(),
                peak_kib: costs.peak.median(),
                after_kib: costs.after.median(),
                faults: costs.faults.median(),
                n: costs.cpu.len(),
                p: ours.and_then(|ours| Some(crate::compare::ratio(&ours.cpu, &costs.cpu)?.p)),
            });
        }
    }
    figures
}
