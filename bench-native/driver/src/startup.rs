//! What an allocator costs a process that does nothing: wall time from spawn to
//! exit and the minor page faults of the child.

use crate::Verdict;
use crate::arms::{self, Arm, OURS};
use crate::child;
use crate::host::Host;
use crate::report::{self, Line};
use crate::samples::Samples;
use anyhow::{Context, Result, bail};
use clap::Args;
use std::path::Path;
use std::time::Instant;

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    arms: arms::Choice,
    /// Processes per arm, interleaved
    #[arg(long, env = "ROUNDS", default_value_t = 300)]
    rounds: usize,
}

pub fn run(root: &Path, options: &Options) -> Result<Verdict> {
    let program = root.join("build/bench/trivial");
    let arms = arms::choose(root, &options.arms, &arms::PEERS, true)?;
    let host = Host::read(root);
    host.print();
    for arm in &arms {
        child::output(&mut child::under(arm, &program))?;
    }
    let mut wall = line("wall time [ms]", "ms", &arms);
    let mut faults = line("minor page faults", "faults", &arms);
    let mut turn: Vec<usize> = (0..arms.len()).collect();
    let mut order = fastrand::Rng::with_seed(0);
    for _ in 0..options.rounds {
        // Nobody always comes after the one that leaves the caches empty.
        order.shuffle(&mut turn);
        for &at in &turn {
            let (ms, count) = spawn_once(&arms[at], &program)?;
            wall.cells[at].1.push(ms);
            faults.cells[at].1.push(count);
        }
    }
    print(&[&wall, &faults], &arms, options.rounds);
    let rows: Vec<_> = wall.rows("startup").chain(faults.rows("startup")).collect();
    report::write(root, "startup.json", &host, &rows)?;
    Ok(Verdict::Met)
}

fn line(title: &str, unit: &str, arms: &[Arm]) -> Line {
    Line {
        title: title.to_owned(),
        unit: unit.to_owned(),
        cells: arms
            .iter()
            .map(|arm| (arm.name.clone(), Samples::default()))
            .collect(),
    }
}

/// Milliseconds and minor faults of one process.
fn spawn_once(arm: &Arm, program: &Path) -> Result<(f64, f64)> {
    let mut command = child::under(arm, program);
    let start = Instant::now();
    let child = command
        .spawn()
        .with_context(|| format!("cannot run {}", program.display()))?;
    let mut status = 0;
    // SAFETY: rusage is plain data that wait4 fills, and the child is waited for nowhere else.
    let (waited, usage) = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        (
            libc::wait4(child.id() as libc::pid_t, &mut status, 0, &mut usage),
            usage,
        )
    };
    let taken = start.elapsed();
    if waited < 0 || status != 0 {
        bail!(
            "{} under {} ends with status {status}",
            program.display(),
            arm.name
        );
    }
    Ok((taken.as_secs_f64() * 1e3, usage.ru_minflt as f64))
}

fn print(lines: &[&Line], arms: &[Arm], rounds: usize) {
    let mut head = vec![format!("trivial process, median of {rounds}")];
    head.extend(arms.iter().map(|arm| arm.name.clone()));
    let body: Vec<Vec<String>> = lines
        .iter()
        .map(|line| {
            let mut cells = vec![line.title.clone()];
            cells.extend(line.cells.iter().map(|(_, samples)| {
                match line.unit.as_str() {
                    "ms" => samples
                        .median()
                        .map_or("-".to_owned(), |v| format!("{v:.3}")),
                    _ => samples
                        .median()
                        .map_or("-".to_owned(), |v| format!("{v:.0}")),
                }
            }));
            cells
        })
        .collect();
    report::print_table(&head, &body);
    println!();
    for line in lines {
        let (Some(ours), Some((peer, best)), Some(glibc)) = (
            line.median(OURS),
            preloaded_best(line),
            line.median("glibc"),
        ) else {
            continue;
        };
        let digits = if line.unit == "ms" { 3 } else { 0 };
        println!(
            "{}: lohalloc {:+.digits$} over glibc; the best preloaded peer ({peer}) {:+.digits$}",
            line.title,
            ours - glibc,
            best - glibc
        );
    }
}

/// A preload costs the loader a library whatever it does, and glibc has none.
fn preloaded_best(line: &Line) -> Option<(String, f64)> {
    line.cells
        .iter()
        .filter(|(name, _)| name != "glibc" && name != OURS && name != arms::AGAIN)
        .filter_map(|(name, samples)| Some((name.clone(), samples.median()?)))
        .min_by(|a, b| a.1.total_cmp(&b.1))
}
