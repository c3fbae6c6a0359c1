//! Instructions per malloc and free: the difference of two runs with different
//! numbers of turns, less the same loop without malloc and free.

use crate::Verdict;
use crate::arms::{self, Arm, OURS};
use crate::callgrind::{self, Run};
use crate::host::Host;
use crate::report::{self, LOOP, Line};
use crate::samples::Samples;
use crate::step;
use anyhow::Result;
use clap::Args;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    arms: arms::Choice,
    /// Pairs of malloc and free that the two runs differ by
    #[arg(long, default_value_t = 51_200)]
    pairs: u64,
}

struct Row {
    name: &'static str,
    title: &'static str,
    pairs_a_turn: u64,
    bar: f64,
}

/// Single steps count this part of the pairs.
const STEPPED_SHARE: u64 = 10;

/// The bars allow for the detection of misuse, which the peers do not have.
const ROWS: [Row; 6] = [
    Row {
        name: "pair-64",
        title: "pair 64 B",
        pairs_a_turn: 1,
        bar: 46.0,
    },
    Row {
        name: "fifo-64",
        title: "FIFO ring 64 B",
        pairs_a_turn: 1,
        bar: 46.0,
    },
    Row {
        name: "random",
        title: "random 8-1024 B, 10,000 slots",
        pairs_a_turn: 1,
        bar: 50.0,
    },
    Row {
        name: "burst-64",
        title: "burst of 256 x 64 B",
        pairs_a_turn: 256,
        bar: 46.0,
    },
    Row {
        name: "burst-512",
        title: "burst of 256 x 512 B",
        pairs_a_turn: 256,
        bar: 60.0,
    },
    Row {
        name: "calloc-64",
        title: "calloc 64 B",
        pairs_a_turn: 1,
        bar: 68.0,
    },
];

pub fn run(root: &Path, options: &Options) -> Result<Verdict> {
    let program = root.join("build/bench/micro");
    let mut arms = arms::choose(root, &options.arms, &arms::PEERS, false)?;
    arms.insert(
        0,
        Arm {
            name: LOOP.to_owned(),
            library: None,
            stands_in: false,
        },
    );
    let host = Host::read(root);
    host.print();
    let (counts, failures) = count_all(&program, &arms, options.pairs);
    let lines: Vec<Line> = ROWS.iter().map(|row| line(row, &arms, &counts)).collect();
    let missed = print(&arms, &lines);
    for (arm, why) in &failures {
        println!("no figure for {arm}: {why}");
    }
    let rows: Vec<_> = lines
        .iter()
        .flat_map(|line| line.rows("instructions"))
        .collect();
    report::write(root, "instructions.json", &host, &rows)?;
    let ours_failed = failures.contains_key(OURS);
    Ok(if missed || ours_failed {
        Verdict::Missed
    } else {
        Verdict::Met
    })
}

type Counts = BTreeMap<(usize, usize), f64>;

/// Counts do not depend on the load of the machine, so every core counts.
fn count_all(program: &Path, arms: &[Arm], pairs: u64) -> (Counts, BTreeMap<String, String>) {
    let jobs: Vec<(usize, usize)> = (0..ROWS.len())
        .flat_map(|row| (0..arms.len()).map(move |arm| (row, arm)))
        .collect();
    let next = AtomicUsize::new(0);
    let (counts, failures) = (Mutex::new(Counts::new()), Mutex::new(BTreeMap::new()));
    let work = || {
        while let Some(&(row, arm)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            match count(program, &arms[arm], &ROWS[row], pairs) {
                Ok(figure) => {
                    counts.lock().unwrap().insert((row, arm), figure);
                }
                Err(error) => {
                    failures
                        .lock()
                        .unwrap()
                        .insert(arms[arm].name.clone(), format!("{error:#}"));
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    (counts.into_inner().unwrap(), failures.into_inner().unwrap())
}

fn count(program: &Path, arm: &Arm, row: &Row, pairs: u64) -> Result<f64> {
    let run = |mode: &'static str, turns| Run {
        program,
        mode,
        row: row.name,
        turns,
    };
    let turns = pairs / row.pairs_a_turn;
    let mode = if arm.name == LOOP {
        "--count-loop"
    } else {
        "--count"
    };
    let counted = callgrind::instructions(arm, &run(mode, turns))
        .and_then(|few| Ok((few, callgrind::instructions(arm, &run(mode, 2 * turns))?)));
    if let Ok((few, many)) = counted {
        return Ok((many as f64 - few as f64) / (turns * row.pairs_a_turn) as f64);
    }
    // A step costs some microseconds, so that fewer must do. The few instructions
    // around the stops are less than a hundredth of one a pair.
    let turns = turns / STEPPED_SHARE;
    let stepped = step::instructions(arm, &run("--step", turns))?;
    Ok(stepped as f64 / (turns * row.pairs_a_turn) as f64)
}

fn line(row: &Row, arms: &[Arm], counts: &Counts) -> Line {
    let at = ROWS
        .iter()
        .position(|other| other.name == row.name)
        .unwrap_or(0);
    let bare = counts.get(&(at, 0)).copied().unwrap_or(0.0);
    let cells = arms
        .iter()
        .enumerate()
        .map(|(index, arm)| {
            let mut samples = Samples::default();
            if let Some(count) = counts.get(&(at, index)) {
                samples.push(if index == 0 { *count } else { count - bare });
            }
            (arm.name.clone(), samples)
        })
        .collect();
    Line {
        title: row.title.to_owned(),
        unit: "instructions".to_owned(),
        cells,
    }
}

/// A refill now and then leaves hundredths that no bar means.
fn tenths(count: f64) -> f64 {
    (count * 10.0).round() / 10.0
}

/// Prints the table; true when a bar is missed.
fn print(arms: &[Arm], lines: &[Line]) -> bool {
    let ours = arms.iter().any(Arm::is_ours);
    let mut head = vec!["instructions per malloc+free".to_owned()];
    head.extend(arms.iter().map(|arm| arm.name.clone()));
    head.push("bar".to_owned());
    if ours {
        head.push("verdict".to_owned());
    }
    let mut missed = false;
    let mut body = Vec::new();
    for (line, row) in lines.iter().zip(&ROWS) {
        let mut cells = vec![line.title.clone()];
        cells.extend(
            line.cells
                .iter()
                .map(|(_, s)| s.median().map_or("-".to_owned(), |v| format!("{v:.1}"))),
        );
        cells.push(format!("<={}", row.bar));
        if ours {
            let verdict = match line.median(OURS) {
                Some(count) if tenths(count) <= row.bar => "met",
                Some(_) => "LOSS",
                None => "-",
            };
            missed |= verdict == "LOSS";
            cells.push(verdict.to_owned());
        }
        body.push(cells);
    }
    report::print_table(&head, &body);
    println!();
    println!(
        "`loop` is the same loop with functions that do nothing, also called through the PLT, and is"
    );
    println!(
        "subtracted. So the jumps through the PLT (one instruction a call on x86-64), the arguments,"
    );
    println!(
        "call and ret are NOT in the figures, which are the allocator's own work; a program sees about"
    );
    println!(
        "8 instructions more a pair. What does not start under valgrind is single-stepped, over a"
    );
    println!("tenth of the pairs.");
    missed
}
