//! What follows from evidence: a lane for each signature, and the questions that tell them
//! apart.

use super::evidence::{Place, Row, weight};
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

/// Bytes that a row stands for.
pub fn bytes_of(row: &Row, mean: u64) -> f64 {
    let size = class::size_of((row.class as usize).min(CLASSES - 1));
    row.samples as f64 * weight(size as u64, mean) as f64
}

/// Decides. `rows`, at most `ROWS`, are sorted by this; `mean` is the distance of samples and
/// `clock` all that was allocated, in bytes; `hash` tells the hash of a place.
pub fn decide(
    rows: &mut [Row],
    mean: u64,
    clock: u64,
    hash: &dyn Fn(Place) -> u64,
    scratch: &mut Scratch,
    nodes: &mut [Node],
) -> Outcome {
    rows.sort_unstable_by_key(|row| (row.path, row.class));
    estimate(rows, &mut scratch.survival);
    let small = |row: &&Row| (row.class as usize) < CLASSES;
    scratch.sums.clear();
    for (row, survival) in rows
        .iter()
        .zip(&scratch.survival)
        .filter(|(row, _)| small(row))
    {
        let bytes = bytes_of(row, mean);
        // One sample in use says that there was one, not that there was much.
        let peak = bytes / row.samples.max(1) as f64 * f64::from(row.peak.saturating_sub(1));
        scratch.sums.add(row.class as usize, bytes, peak, survival);
    }
    let partition = scratch.sums.cut(clock.max(1));
    let mut routed = [0; CLASSES.div_ceil(64)];
    for class in (0..CLASSES).filter(|&class| partition.saved[class] > 0.0) {
        routed[class / 64] |= 1 << (class % 64);
    }
    for (lane, survival) in scratch
        .lanes
        .iter_mut()
        .zip(&scratch.survival)
        .take(rows.len())
    {
        *lane = partition.lanes[group_of(survival)];
    }
    for class in 0..CLASSES {
        if !is_routed(&routed, class)
            && scratch.sums.peak(class) > PEAK
            && lies_among(rows, &scratch.lanes, class)
        {
            routed[class / 64] |= 1 << (class % 64);
        }
    }
    let bytes = |row: &Row| match is_routed(&routed, row.class as usize) {
        true => bytes_of(row, mean),
        false => 0.0,
    };
    let tree = Tree::new(
        rows,
        &scratch.lanes[..rows.len()],
        &bytes,
        hash,
        &mut scratch.by_class,
        nodes,
    );
    Outcome {
        nodes: tree.grow(),
        routed,
        saved: partition.saved.iter().sum(),
    }
}

/// Whether some context has blocks in another lane than the first that are smaller, and some that
/// are larger than those of a class: it will have some of that class, too, though none was seen.
fn lies_among(rows: &[Row], lanes: &[u8], class: usize) -> bool {
    let sorted = |at: usize| lanes[at] > 0 && (rows[at].class as usize) < CLASSES;
    let mut from = 0;
    while from < rows.len() {
        let to = from + same(&rows[from..], |row| row.path);
        let classes = || {
            (from..to)
                .filter(|&at| sorted(at))
                .map(|at| rows[at].class as usize)
        };
        if classes().any(|other| other <= class) && classes().any(|other| other >= class) {
            return true;
        }
        from = to;
    }
    false
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
mod tests {
    use super::*;
    use crate::decision::evidence::AGES;
    use crate::decision::tree::{Answer, Next, class_key, frame_key, site_key};
    use std::boxed::Box;
    use std::collections::BTreeMap;
    use std::vec;
    use std::vec::Vec;

    const MEAN: u64 = 64 << 10;
    const CLOCK: u64 = 1 << 31;

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

    struct Model {
        nodes: BTreeMap<u64, Answer>,
        outcome: Outcome,
    }

    fn learn(rows: &[Row]) -> Model {
        let mut rows: Vec<Row> = rows.to_vec();
        let mut nodes = vec![Node::NONE; 16384];
        // SAFETY: all zeroes will do.
        let mut scratch: Box<Scratch> = unsafe { Box::new_zeroed().assume_init() };
        let hash = |place: Place| place.0;
        let outcome = decide(&mut rows, MEAN, CLOCK, &hash, &mut scratch, &mut nodes);
        nodes.truncate(outcome.nodes);
        Model {
            nodes: nodes
                .into_iter()
                .map(|node| (node.key, node.answer))
                .collect(),
            outcome,
        }
    }

    impl Model {
        /// The lane of a request, as it is found while a program runs.
        fn lane(&self, path: &[u64], class: usize) -> u8 {
            let mut key = site_key(path[0]);
            let mut depth = 1;
            let mut lane = 0;
            while let Some(answer) = self.nodes.get(&key) {
                lane = answer.lane;
                match answer.next {
                    Next::Nothing => break,
                    Next::Class => key = class_key(key, class),
                    Next::Frame if depth < path.len() => {
                        key = frame_key(key, path[depth]);
                        depth += 1;
                    }
                    Next::Frame => break,
                }
            }
            lane
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
        assert_eq!(one.nodes, other.nodes);
    }
}
