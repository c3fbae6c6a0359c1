//! `tune`.

use crate::args::Tune;
use crate::files::{Text, may_replace, replace};
use crate::measure::{self, Cost, METRICS};
use crate::program::{Mode, command, library, not_started};
use crate::ranks::{median, probability};
use crate::text::{count, size};
use crate::trouble::{Trouble, words};
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{ExitCode, Stdio};

const NOTHING_WRITTEN: &str = "nothing was written";
/// What is better must be so with a probability of error below this, shared by all that is compared.
const SURE: f64 = 0.05;
/// What is worse need only be so with one below this: doubt counts against a model.
const DOUBT: f64 = 0.2;
/// Smaller differences do not count.
const LARGE: f64 = 0.01;

/// Ways to learn: runs, and bytes from one sample to the next.
const WAYS: [(u32, u32); 3] = [(1, 65536), (3, 65536), (1, 8192)];

struct Candidate {
    name: String,
    /// Without one it runs untrained.
    model: Option<PathBuf>,
    costs: Vec<Cost>,
}

pub fn tune(args: &Tune) -> Result<ExitCode, Trouble> {
    let library = library(&args.library)?;
    may_replace(&args.output, NOTHING_WRITTEN)?;
    let folder = tempfile::tempdir().map_err(|error| {
        let what = format!("cannot make a directory for candidates: {}", words(&error));
        Trouble::failed(format!("{what}; {NOTHING_WRITTEN}"))
    })?;
    let mut progress = Progress::new(WAYS.iter().map(|way| way.0).sum());
    let mut candidates = vec![Candidate {
        name: "untrained".into(),
        model: None,
        costs: vec![],
    }];
    for (runs, sample) in WAYS {
        let model = folder.path().join(format!("{runs}-{sample}.lohalloc"));
        for _ in 0..runs {
            progress.step("learning");
            once(args, &library, Mode::Learn(&model, sample))?;
        }
        if routes(&model)? > 0 {
            let runs = count(runs as usize, "run", "runs");
            candidates.push(Candidate {
                name: format!("{runs}, a sample every {}", size(sample.into())),
                model: Some(model),
                costs: vec![],
            });
        }
    }
    progress.end();
    if candidates.len() == 1 {
        let what = "no model has anything to decide for this program";
        return Err(Trouble::failed(format!("{what}; {NOTHING_WRITTEN}")));
    }
    let mut progress = Progress::new(args.runs * candidates.len() as u32);
    for round in 0..args.runs as usize {
        // Whatever changes meanwhile meets all of them.
        for turn in 0..candidates.len() {
            let at = (round + turn) % candidates.len();
            let candidate = &mut candidates[at];
            progress.step(&candidate.name);
            let mode = candidate
                .model
                .as_deref()
                .map_or(Mode::Untrained, Mode::Follow);
            candidate.costs.push(once(args, &library, mode)?);
        }
    }
    progress.end();
    let (untrained, models) = candidates.split_first().expect("untrained is there");
    show(untrained, models);
    let wins = |candidate: &&Candidate| {
        judge(&untrained.costs, &candidate.costs, models.len()) == Verdict::Wins
    };
    let ratio = |candidate: &Candidate| -> f64 {
        let of = |metric| share(&untrained.costs, &candidate.costs, metric);
        (0..METRICS.len()).map(of).product()
    };
    let best = models
        .iter()
        .filter(wins)
        .min_by(|a, b| ratio(a).total_cmp(&ratio(b)));
    let Some((best, model)) = best.and_then(|best| Some((best, best.model.as_ref()?))) else {
        println!("no model wins; {NOTHING_WRITTEN}");
        return Ok(ExitCode::FAILURE);
    };
    let bytes = fs::read(model).map_err(|error| {
        Trouble::failed(format!(
            "the model is lost: {}; {NOTHING_WRITTEN}",
            words(&error)
        ))
    })?;
    replace(&args.output, &bytes)?;
    println!(
        "'{}' wins and is now '{}'",
        best.name,
        args.output.display()
    );
    Ok(ExitCode::SUCCESS)
}

/// One run, which must end well.
fn once(args: &Tune, library: &Path, mode: Mode<'_>) -> Result<Cost, Trouble> {
    let mut command = command(library, &args.program, mode);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let (status, cost) =
        measure::run(&mut command).map_err(|error| not_started(&args.program, &error))?;
    if !status.success() {
        let name = args.program.command[0].display();
        return Err(Trouble::failed(format!(
            "'{name}' ended with {status}; {NOTHING_WRITTEN}"
        )));
    }
    Ok(cost)
}

fn routes(model: &Path) -> Result<usize, Trouble> {
    if !model.exists() {
        let what = "the program left no model: it ended by _exit, or does not load the library";
        return Err(Trouble::failed(format!("{what}; {NOTHING_WRITTEN}")));
    }
    Ok(Text::read(model, NOTHING_WRITTEN)?
        .model(NOTHING_WRITTEN)?
        .nodes())
}

/// The values of one metric.
fn values(costs: &[Cost], metric: usize) -> Vec<f64> {
    costs.iter().map(|cost| cost[metric]).collect()
}

/// What a model needs of a metric, as a share of what is needed without one.
fn share(untrained: &[Cost], trained: &[Cost], metric: usize) -> f64 {
    let [before, after] = [untrained, trained].map(|costs| median(&values(costs, metric)));
    if before > 0.0 { after / before } else { 1.0 }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Wins,
    Loses,
    Same,
}

/// A model wins if it makes something better and nothing worse.
fn judge(untrained: &[Cost], trained: &[Cost], models: usize) -> Verdict {
    let sure = SURE / (models * METRICS.len()) as f64;
    let mut verdict = Verdict::Same;
    for metric in 0..METRICS.len() {
        let share = share(untrained, trained, metric);
        let p = probability(&values(untrained, metric), &values(trained, metric));
        if share > 1.0 + LARGE && p < DOUBT {
            return Verdict::Loses;
        }
        if share < 1.0 - LARGE && p < sure {
            verdict = Verdict::Wins;
        }
    }
    verdict
}

fn show(untrained: &Candidate, models: &[Candidate]) {
    let unit = |metric: usize, value: f64| match metric {
        0 | 1 => format!("{value:.3} s"),
        _ => size(value as u64),
    };
    println!("medians of {}", count(untrained.costs.len(), "run", "runs"));
    let names = |name: &str, columns: [String; METRICS.len()]| {
        println!(
            "{name:32} {}",
            columns.map(|column| format!("{column:>26}")).join("")
        );
    };
    names("", METRICS.map(str::to_owned));
    let alone = |metric| unit(metric, median(&values(&untrained.costs, metric)));
    names(&untrained.name, std::array::from_fn(alone));
    for model in models {
        let column = |metric: usize| {
            let costs = values(&model.costs, metric);
            let p = probability(&values(&untrained.costs, metric), &costs);
            let share = share(&untrained.costs, &model.costs, metric);
            format!(
                "{}  {:+.1}% p {p:.3}",
                unit(metric, median(&costs)),
                (share - 1.0) * 100.0
            )
        };
        names(&model.name, std::array::from_fn(column));
    }
}

/// A line on a terminal that says how far we are.
struct Progress {
    done: u32,
    all: u32,
    shown: bool,
}

impl Progress {
    fn new(all: u32) -> Progress {
        Progress {
            done: 0,
            all,
            shown: io::stderr().is_terminal(),
        }
    }

    fn step(&mut self, what: &str) {
        self.done += 1;
        if self.shown {
            eprint!("\r\x1b[Krun {} of {}: {what}", self.done, self.all);
            let _ = io::stderr().flush();
        }
    }

    fn end(&self) {
        if self.shown {
            eprint!("\r\x1b[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(wall: f64, peak: f64) -> Vec<Cost> {
        let noise = |run: usize| 1.0 + (run * 7 % 10) as f64 / 1000.0;
        (0..10)
            .map(|run| [wall * noise(run), 1.0, peak * noise(run), 0.0])
            .collect()
    }

    #[test]
    fn a_model_wins_that_makes_nothing_worse() {
        let untrained = runs(1.0, 100.0);
        assert_eq!(judge(&untrained, &runs(1.0, 80.0), 3), Verdict::Wins);
        assert_eq!(judge(&untrained, &runs(1.1, 80.0), 3), Verdict::Loses);
        assert_eq!(judge(&untrained, &runs(1.0, 100.0), 3), Verdict::Same);
        let mut slow = runs(1.0, 80.0);
        slow.iter_mut().skip(3).for_each(|cost| cost[0] *= 1.02);
        assert_eq!(judge(&untrained, &slow, 3), Verdict::Loses);
        assert_eq!(judge(&untrained, &runs(0.995, 100.0), 3), Verdict::Same);
    }
}
