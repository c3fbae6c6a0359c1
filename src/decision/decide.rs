//! What follows from evidence: a lane for each signature, and the questions that tell them
//! apart.

use super::evidence::{Place, Row, Seen, weight};
use super::observe::ROWS;
use super::partition::{Sums, group_of};
use super::survival::{Deaths, Survival};
use super::tree::{ByClass, Node, Tree};
use crate::base::class::{self, CLASSES};

/// So many samples does a kind count for what is of that kind: the whole program for a site, a
/// site for a context, a context for one of its size classes.
const KIND: f32 = 4.0;

/// Size classes that once had more than this in use, in bytes, are routed if blocks of a lane
/// probably come in them.
const PEAK: f64 = (512 << 10) as f64;

/// Fewer bytes held less than so many samples stand for may be by chance.
const SAMPLES: f64 = 8.0;

/// Memory to decide in. All zeroes will do.
#[repr(C)]
pub struct Scratch {
    survival: [Survival; ROWS],
    lanes: [u8; ROWS],
    sums: Sums,
    by_class: ByClass,
}

/// What was decided.
pub struct Outcome {
    /// Nodes written.
    pub nodes: usize,
    /// A bit for each size class whose blocks are sorted into lanes.
    pub routed: [u64; CLASSES.div_ceil(64)],
    /// Bytes held less, on the average.
    pub saved: f64,
}

const NOTHING: Outcome = Outcome {
    nodes: 0,
    routed: [0; CLASSES.div_ceil(64)],
    saved: 0.0,
};

/// Bytes that a row stands for.
pub fn bytes_of(row: &Row, mean: u64) -> f64 {
    let size = class::size_of((row.class as usize).min(CLASSES - 1));
    row.samples as f64 * weight(size as u64, mean) as f64
}

/// Decides. `rows`, at most `ROWS`, are sorted by this; each signature is in one of them. `hash`
/// tells the hash of a place: 0 if it can not be known again.
///
/// Of several runs it is the mean one that counts: nothing lives longer than its run.
pub fn decide(
    rows: &mut [Row],
    seen: Seen,
    hash: &dyn Fn(Place) -> u64,
    scratch: &mut Scratch,
    nodes: &mut [Node],
) -> Outcome {
    let (mean, runs) = (seen.mean, u64::from(seen.runs.max(1)));
    rows.sort_unstable_by_key(|row| (row.path, row.class));
    estimate(rows, &mut scratch.survival);
    scratch.sums.clear();
    for (row, survival) in rows.iter().zip(&scratch.survival) {
        let class = row.class as usize;
        if class < CLASSES {
            let bytes = bytes_of(row, mean);
            let peak = bytes / row.samples.max(1) as f64 * at_once(row.peak);
            scratch.sums.add(class, bytes / runs as f64, peak, survival);
        }
    }
    let partition = scratch.sums.cut((seen.clock / runs).max(1));
    let saved: f64 = partition.saved.iter().sum();
    if saved < SAMPLES * mean as f64 {
        return NOTHING;
    }
    for (lane, survival) in scratch.lanes.iter_mut().zip(&scratch.survival) {
        *lane = partition.lanes[group_of(survival)];
    }
    let lanes = &scratch.lanes[..rows.len()];
    let mut routed = [0; CLASSES.div_ceil(64)];
    let among = lie_among(rows, lanes);
    for class in 0..CLASSES {
        let saves = partition.saved[class] > 0.0;
        if saves || scratch.sums.peak(class) > PEAK && is_routed(&among, class) {
            routed[class / 64] |= 1 << (class % 64);
        }
    }
    let bytes = |row: &Row| match is_routed(&routed, row.class as usize) {
        true => bytes_of(row, mean),
        false => 0.0,
    };
    let tree = Tree::new(rows, lanes, &bytes, hash, &mut scratch.by_class, nodes);
    match tree.grow() {
        // Those that were to be sorted have no place that can be known again.
        0 => NOTHING,
        nodes => Outcome {
            nodes,
            routed,
            saved,
        },
    }
}

/// Samples in use at once, at most, if `peak` were counted: a count of x samples in the mean is by
/// chance x + 3√x now and then.
fn at_once(peak: u32) -> f64 {
    let root = ((9 + 4 * u64::from(peak)) << 16).isqrt() as f64 / 256.0;
    let root = (root - 3.0) / 2.0;
    root * root
}

/// A bit for each size class for which some context has blocks in another lane than the first that
/// are smaller, or as large, and some that are larger, or as large: it will have some of that
/// class, too, though none was seen.
fn lie_among(rows: &[Row], lanes: &[u8]) -> [u64; CLASSES.div_ceil(64)] {
    let mut among = [0; CLASSES.div_ceil(64)];
    let mut from = 0;
    while from < rows.len() {
        let to = from + same(&rows[from..], |row| row.path);
        let classes = (from..to)
            .filter(|&at| lanes[at] > 0)
            .map(|at| rows[at].class as usize)
            .filter(|&class| class < CLASSES);
        // Rows of a context are sorted by class.
        let mut ends = classes.clone();
        if let Some(first) = ends.next() {
            for class in first..=ends.next_back().unwrap_or(first) {
                among[class / 64] |= 1 << (class % 64);
            }
        }
        from = to;
    }
    among
}

fn is_routed(routed: &[u64; CLASSES.div_ceil(64)], class: usize) -> bool {
    class < CLASSES && routed[class / 64] >> (class % 64) & 1 != 0
}

/// How long the blocks of each row live: what was seen of it, of all size classes of its context,
/// of its site, and of the whole program.
fn estimate(rows: &[Row], survival: &mut [Survival]) {
    let all = pooled(rows).survival(&Survival::UNKNOWN, KIND);
    let mut from = 0;
    while from < rows.len() {
        let site = from + same(&rows[from..], |row| row.path[0]);
        let of_site = pooled(&rows[from..site]).survival(&all, KIND);
        while from < site {
            let context = from + same(&rows[from..site], |row| row.path);
            let of_context = pooled(&rows[from..context]).survival(&of_site, KIND);
            for at in from..context {
                survival[at] = pooled(&rows[at..=at]).survival(&of_context, KIND);
            }
            from = context;
        }
    }
}

/// How many rows from the first on have the same key as that.
fn same<T: PartialEq>(rows: &[Row], key: impl Fn(&Row) -> T) -> usize {
    let first = key(&rows[0]);
    rows.iter().take_while(|row| key(row) == first).count()
}

fn pooled(rows: &[Row]) -> Deaths {
    let mut deaths = Deaths::NONE;
    rows.iter().for_each(|row| deaths.add(row));
    deaths
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::base::mix::mix;
    use crate::decision::evidence::AGES;
    use crate::decision::tree::tests::{Answers, answers, lane_of};
    use std::boxed::Box;
    use std::vec;
    use std::vec::Vec;

    const MEAN: u64 = 64 << 10;
    const CLOCK: u64 = 1 << 31;
    pub const SEEN: Seen = Seen {
        mean: MEAN,
        clock: CLOCK,
        runs: 1,
    };
    const STACK: usize = 16 << 10;

    fn row(path: &[u64], class: usize, died: &[(usize, u32)], alive: u32) -> Row {
        let mut row = Row::EMPTY;
        for (to, &from) in row.path.iter_mut().zip(path) {
            *to = Place(from);
        }
        row.class = class as u32;
        died.iter().for_each(|&(age, count)| row.died[age] = count);
        row.alive[AGES - 4] = alive;
        row.samples = u64::from(row.died.iter().chain(&row.alive).sum::<u32>());
        row.peak = row.samples as u32 / 10 + alive;
        row
    }

    /// A site whose blocks die young.
    fn young(path: &[u64], class: usize, samples: u32) -> Row {
        row(
            path,
            class,
            &[(6, samples / 2), (7, samples - samples / 2)],
            0,
        )
    }

    fn old(path: &[u64], class: usize, samples: u32) -> Row {
        row(path, class, &[], samples)
    }

    pub struct Model {
        answers: Answers,
        pub outcome: Outcome,
    }

    fn scratch() -> Box<Scratch> {
        // SAFETY: all zeroes will do.
        unsafe { Box::new_zeroed().assume_init() }
    }

    fn learn(rows: &[Row]) -> Model {
        learn_from(rows, SEEN, &|place| place.0)
    }

    pub fn learn_from(rows: &[Row], seen: Seen, hash: &dyn Fn(Place) -> u64) -> Model {
        let mut rows: Vec<Row> = rows.to_vec();
        let mut nodes = vec![Node::NONE; 16384];
        let outcome = decide(&mut rows, seen, hash, &mut scratch(), &mut nodes);
        Model {
            answers: answers(&nodes[..outcome.nodes]),
            outcome,
        }
    }

    impl Model {
        /// The lane of a request, as it is found while a program runs.
        pub fn lane(&self, path: &[u64], class: usize) -> u8 {
            lane_of(&self.answers, path, class)
        }
    }

    #[test]
    fn sites_that_live_long_get_a_lane_of_their_own() {
        let model = learn(&[young(&[1], 10, 9000), old(&[2], 10, 90)]);
        assert_eq!(model.lane(&[1], 10), 0);
        assert!(model.lane(&[2], 10) > 0);
        assert_eq!(model.lane(&[3], 10), 0, "an unknown site");
        assert_eq!(model.outcome.nodes, 1);
        assert!(is_routed(&model.outcome.routed, 10) && !is_routed(&model.outcome.routed, 11));
    }

    #[test]
    fn a_site_is_known_though_each_of_its_classes_is_rare() {
        let mut rows = vec![];
        for class in 2..30 {
            rows.push(young(&[1], class, 900));
            rows.push(old(&[2], class, 1 + class as u32 % 3));
        }
        let model = learn(&rows);
        for class in 2..30 {
            assert_eq!(model.lane(&[1], class), 0);
            assert!(model.lane(&[2], class) > 0, "{class}");
        }
        assert_eq!(model.outcome.nodes, 1, "one question for each site");
    }

    #[test]
    fn frames_are_asked_where_a_wrapper_hides_the_site() {
        let model = learn(&[
            young(&[1, 11], 10, 9000),
            old(&[1, 12], 10, 90),
            young(&[1, 13, 21], 10, 900),
            old(&[1, 13, 22], 10, 90),
            young(&[2, 11], 10, 900),
        ]);
        assert_eq!(model.lane(&[1, 11], 10), 0);
        assert!(model.lane(&[1, 12], 10) > 0);
        assert_eq!(model.lane(&[1, 13, 21], 10), 0);
        assert!(model.lane(&[1, 13, 22], 10) > 0);
        assert_eq!(model.lane(&[1, 14], 10), 0, "an unknown caller");
        assert_eq!(model.lane(&[1], 10), 0, "no caller to be found");
        assert_eq!(model.outcome.nodes, 4);
    }

    #[test]
    fn the_size_class_is_asked_before_the_frames() {
        let model = learn(&[
            young(&[1, 11], 10, 9000),
            old(&[1, 12], 20, 900),
            young(&[2, 11], 20, 9000),
            old(&[3, 11], 10, 90),
        ]);
        assert_eq!(model.lane(&[1], 10), 0);
        assert!(model.lane(&[1], 20) > 0);
        assert_eq!(model.lane(&[2], 20), 0);
    }

    #[test]
    fn what_no_context_tells_is_left_alone() {
        let mixed = |site| row(&[site], 10, &[(6, 9000)], 90);
        assert_eq!(learn(&[mixed(1), mixed(2)]).outcome.nodes, 0);
        assert_eq!(learn(&[]).outcome.nodes, 0);
        assert_eq!(learn(&[old(&[1], 10, 9000)]).outcome.nodes, 0);
    }

    #[test]
    fn the_order_of_rows_does_not_matter() {
        let mut rows = vec![];
        for site in 1..40u64 {
            for class in [3, 10, 17] {
                rows.push(match site % 5 {
                    0 => old(&[site, site % 7], class, 20),
                    _ => young(&[site, site % 7], class, 500),
                });
            }
        }
        let one = learn(&rows);
        rows.reverse();
        let other = learn(&rows);
        assert!(one.outcome.nodes > 0);
        assert_eq!(one.answers, other.answers);
    }

    #[test]
    fn chance_is_taken_off_peaks() {
        for (count, mean) in [(0, 0.0), (4, 1.0), (10, 4.0), (130, 100.0)] {
            assert!((at_once(count) - mean).abs() < 0.02, "{count}");
        }
        assert!(at_once(u32::MAX) > 4.29e9);
    }

    #[test]
    fn scratch_may_be_used_again() {
        let rows = [young(&[1], 10, 9000), old(&[2], 10, 90)];
        let (mut once, mut scratch) = (vec![], scratch());
        for _ in 0..2 {
            let mut nodes = vec![Node::NONE; 99];
            let hash = |place: Place| place.0;
            let outcome = decide(&mut rows.clone(), SEEN, &hash, &mut scratch, &mut nodes);
            once.push((outcome.saved, nodes));
        }
        assert_eq!(once[0], once[1]);
    }

    #[test]
    fn more_runs_alike_save_no_more() {
        let rows = [young(&[1], 10, 9000), old(&[2], 10, 90)];
        let saved = |times: u32| {
            let times_as_many = |row: &Row| {
                let mut row = *row;
                let counts = row.died.iter_mut().chain(&mut row.alive);
                counts.for_each(|count| *count *= times);
                row.samples *= u64::from(times);
                row
            };
            let rows: Vec<Row> = rows.iter().map(times_as_many).collect();
            let seen = Seen {
                clock: CLOCK * u64::from(times),
                runs: times,
                ..SEEN
            };
            let model = learn_from(&rows, seen, &|place| place.0);
            model.outcome.saved
        };
        let (one, ten) = (saved(1), saved(10));
        assert!(one > 1e6 && (ten / one - 1.0).abs() < 0.1, "{one} {ten}");
    }

    #[test]
    fn where_no_place_can_be_known_again_nothing_is_routed() {
        let rows = [young(&[1], 10, 9000), old(&[2], 10, 90)];
        let outcome = learn_from(&rows, SEEN, &|_| 0).outcome;
        assert_eq!((outcome.nodes, outcome.saved), (0, 0.0));
        assert_eq!(outcome.routed, [0; _]);
    }

    #[test]
    fn classes_between_those_of_a_context_are_routed_if_there_is_much() {
        let mut rows = vec![];
        for class in [8, 12] {
            rows.push(young(&[1], class, 9000));
            rows.push(old(&[2], class, 90));
        }
        rows.push(young(&[1], 10, 900));
        rows.push(young(&[1], 14, 900));
        rows.push(young(&[1], 11, 9));
        let routed = learn(&rows).outcome.routed;
        let found: Vec<usize> = (0..CLASSES).filter(|&c| is_routed(&routed, c)).collect();
        assert_eq!(found, [8, 10, 12]);
    }

    #[test]
    fn a_thread_with_a_small_stack_can_decide() {
        let mut rows = crowd();
        let (mut scratch, mut nodes) = (scratch(), vec![Node::NONE; 16384]);
        let decide = move || {
            let hash = |place: Place| place.0;
            decide(&mut rows, LONG, &hash, &mut scratch, &mut nodes).nodes
        };
        let thread = std::thread::Builder::new().stack_size(STACK);
        let found = thread.spawn(decide).expect("a thread").join();
        assert!(found.expect("no overflow") > 1000);
    }

    const LONG: Seen = Seen {
        clock: 1 << 35,
        ..SEEN
    };

    /// As many rows as there may be: of all classes, and most contexts of two lanes.
    fn crowd() -> Vec<Row> {
        let row = |number: u64| {
            let random = mix(7, number);
            let path = [1 + random % 97, 1 + random / 97 % 7, 1 + number / 3, 3];
            let class = (random >> 20) as usize % CLASSES;
            let (age, alive) = ((random >> 40) as usize % 10, random >> 50 & 7);
            match alive {
                0 => row(&path, class, &[(age, 1)], 9),
                _ => row(&path, class, &[(age, 50), (age / 2, 9)], 0),
            }
        };
        (0..ROWS as u64).map(row).collect()
    }
}
