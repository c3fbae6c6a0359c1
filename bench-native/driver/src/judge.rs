//! The tables of the full comparison, and what they say of lohalloc.

use crate::Verdict;
use crate::arms::{AGAIN, Arm, OURS};
use crate::bench::{Collected, Costs};
use crate::compare::{self, Ratio};
use crate::report::{self, figure};
use crate::rows::{self, GROUPS, Row};
use crate::samples::Samples;
use std::collections::BTreeMap;

/// A row is lost where the whole interval of ours/best lies above this.
const TIME_BAR: f64 = 1.05;
const MEMORY_BAR: f64 = 1.25;
/// The p below which a difference counts, divided by the number of rows (C. E. Bonferroni).
const SURE: f64 = 0.05;

struct Measure {
    title: &'static str,
    of: fn(&Costs) -> &Samples,
    scale: f64,
    bar: f64,
    /// Whether rows that depend on the timing of threads are judged, too.
    always: bool,
}

const MEASURES: [Measure; 2] = [
    Measure {
        title: "CPU time, ms",
        of: |costs| &costs.cpu,
        scale: 1e3,
        bar: TIME_BAR,
        always: true,
    },
    Measure {
        title: "peak memory, MiB",
        of: |costs| &costs.peak,
        scale: 1.0 / 1024.0,
        bar: MEMORY_BAR,
        always: false,
    },
];

/// Prints all; met if no row is lost.
pub fn print(arms: &[Arm], rows: &[Row], collected: &Collected) -> Verdict {
    let mut lost = 0;
    for measure in &MEASURES {
        lost += table(measure, arms, rows, collected);
    }
    after(arms, rows, collected);
    print_means(arms, rows, collected);
    match lost {
        0 => Verdict::Met,
        _ => Verdict::Missed,
    }
}

/// One measure, row by row. Returns how many rows are lost.
fn table(measure: &Measure, arms: &[Arm], rows: &[Row], collected: &Collected) -> usize {
    let mut head = vec![measure.title.to_owned()];
    head.extend(shown(arms).map(|arm| arm.name.clone()));
    head.extend(["best", "ours/best", "95 %", "A/A", ""].map(str::to_owned));
    let (mut body, mut counts) = (Vec::new(), BTreeMap::<&str, usize>::new());
    for row in rows {
        let Some(of_row) = collected.get(&row.name) else {
            continue;
        };
        let samples = |arm: &str| of_row.get(arm).map(measure.of);
        let mut cells = vec![row.name.clone()];
        for arm in shown(arms) {
            let median = samples(&arm.name).and_then(Samples::median);
            cells.push(figure(median.map(|value| value * measure.scale)));
        }
        let best = best_peer(of_row, measure);
        let ratio = best.as_ref().and_then(|(name, _)| {
            compare::ratio(
                &compare::half(samples(OURS)?, false),
                &compare::half(samples(name)?, false),
            )
        });
        let control = samples(OURS)
            .zip(samples(AGAIN))
            .and_then(|(a, b)| compare::ratio(a, b));
        let said = match &ratio {
            None => "",
            Some(_) if row.restless && !measure.always => "not judged",
            Some(ratio) => verdict(ratio, measure.bar, rows.len()),
        };
        *counts.entry(said).or_default() += 1;
        cells.push(best.map_or("-".to_owned(), |(name, _)| name));
        cells.push(figure(ratio.as_ref().map(|r| r.value)));
        cells.push(ratio.map_or(String::new(), |r| format!("{:.2}–{:.2}", r.low, r.high)));
        cells.push(figure(control.map(|r| r.value)));
        cells.push(said.to_owned());
        body.push(cells);
    }
    report::print_table(&head, &body);
    let lost = counts.get("LOSS").copied().unwrap_or(0);
    println!(
        "{} win, {} level, {lost} LOSS\n",
        counts.get("win").copied().unwrap_or(0),
        counts.get("level").copied().unwrap_or(0)
    );
    lost
}

fn shown(arms: &[Arm]) -> impl Iterator<Item = &Arm> {
    arms.iter().filter(|arm| arm.name != AGAIN)
}

fn is_peer(name: &str) -> bool {
    name != OURS && name != AGAIN
}

/// Chosen on the odd rounds.
fn best_peer(of_row: &BTreeMap<String, Costs>, measure: &Measure) -> Option<(String, f64)> {
    of_row
        .iter()
        .filter(|(name, _)| is_peer(name))
        .filter_map(|(name, costs)| {
            let odd = compare::half((measure.of)(costs), true);
            let all = (measure.of)(costs);
            Some((name.clone(), odd.median().or(all.median())?))
        })
        .min_by(|a, b| a.1.total_cmp(&b.1))
}

fn verdict(ratio: &Ratio, bar: f64, rows: usize) -> &'static str {
    if ratio.low > bar {
        "LOSS"
    } else if ratio.high < 1.0 && ratio.p * (rows as f64) < SURE {
        "win"
    } else {
        "level"
    }
}

/// What is resident a second after the end of the work.
fn after(arms: &[Arm], rows: &[Row], collected: &Collected) {
    let mut head = vec!["a second after the end, MiB".to_owned()];
    head.extend(shown(arms).map(|arm| arm.name.clone()));
    let mut body = Vec::new();
    for row in rows.iter().filter(|row| row.group == rows::AFTER_PEAK) {
        let Some(of_row) = collected.get(&row.name) else {
            continue;
        };
        let mut cells = vec![row.name.clone()];
        for arm in shown(arms) {
            let after = of_row.get(&arm.name).and_then(|costs| costs.after.median());
            cells.push(figure(after.map(|kib| kib / 1024.0)));
        }
        body.push(cells);
    }
    if !body.is_empty() {
        report::print_table(&head, &body);
        println!();
    }
}

/// Time and memory of an arm, each the geometric mean of the groups' geometric means, against
/// glibc's; a group's memory leaves out rows that are not judged.
pub struct Mean {
    pub arm: String,
    pub time: f64,
    pub memory: f64,
}

pub fn means(arms: &[Arm], rows: &[Row], collected: &Collected) -> Vec<Mean> {
    shown(arms)
        .filter_map(|arm| {
            let of = |measure: &Measure| {
                let groups = GROUPS
                    .iter()
                    .filter_map(|group| group_mean(measure, group, &arm.name, rows, collected));
                compare::geomean(groups)
            };
            Some(Mean {
                arm: arm.name.clone(),
                time: of(&MEASURES[0])?,
                memory: of(&MEASURES[1])?,
            })
        })
        .collect()
}

fn group_mean(
    measure: &Measure,
    group: &str,
    arm: &str,
    rows: &[Row],
    collected: &Collected,
) -> Option<f64> {
    let ratios = rows
        .iter()
        .filter(|row| row.group == group && (measure.always || !row.restless))
        .filter_map(|row| {
            let of_row = collected.get(&row.name)?;
            let median = |arm: &str| (measure.of)(of_row.get(arm)?).median();
            Some(median(arm)? / median("glibc")?)
        });
    compare::geomean(ratios)
}

fn print_means(arms: &[Arm], rows: &[Row], collected: &Collected) {
    for measure in &MEASURES {
        let mut head = vec![format!("{} / glibc's, geometric means", measure.title)];
        head.extend(shown(arms).map(|arm| arm.name.clone()));
        let line = |title: &str, value: &dyn Fn(&str) -> Option<f64>| {
            let mut cells = vec![title.to_owned()];
            cells.extend(shown(arms).map(|arm| figure(value(&arm.name))));
            cells
        };
        let mut body: Vec<Vec<String>> = GROUPS
            .iter()
            .filter(|group| rows.iter().any(|row| row.group == **group))
            .map(|group| {
                line(group, &|arm| {
                    group_mean(measure, group, arm, rows, collected)
                })
            })
            .collect();
        body.push(line("all groups", &|arm| {
            compare::geomean(
                GROUPS
                    .iter()
                    .filter_map(|group| group_mean(measure, group, arm, rows, collected)),
            )
        }));
        report::print_table(&head, &body);
        println!();
    }
}
