//! Which lifetimes share pages.
//!
//! A page holds blocks that were allocated one after the other. Its memory is held until
//! the last of them is freed; so of a page with n blocks, each of which lives beyond age t
//! with probability S(t), the share 1 - (1 - S(t))ⁿ is still held then. What that costs, in bytes
//! held times bytes allocated meanwhile, is added up for each way to sort the blocks of a size class
//! into lanes by how long their signatures live. New blocks fill the gaps as long as they are
//! needed, which the clock of bytes does not show to end; so what a class had in use at once bounds
//! what it can gain. The best cuts are found by dynamic programming, as for the breaks of a histogram
//! (W. D. Fisher, "On grouping for maximum homogeneity", 1958).
//!
//! Invariant: two lanes in place of one never hold more, since 1 - (1 - S)ⁿ is concave in S.

use super::evidence::{AGES, age_from};
use super::survival::Survival;
use crate::base::class::{self, CLASSES};

/// Signatures are sorted into so many groups by how long they live, before cuts are looked for.
pub const GROUPS: usize = 2 * AGES;
/// The most lanes that blocks are sorted into.
pub const LANES_MAX: usize = 4;
const _: () = assert!(LANES_MAX <= class::LANES);

/// What memory goes back by, in bytes: blocks that share it pin each other.
const UNIT: u32 = 16 << 10;
/// What a further lane costs in a size class: pages that are not used up, in bytes.
const SLACK: f64 = (32 << 10) as f64;
/// A class is sorted if that saves at least this share of what it holds in vain.
const WORTH: f64 = 0.1;

/// Bytes allocated, and those that live beyond each age.
#[derive(Clone, Copy)]
struct Mix {
    bytes: f64,
    lives: [f64; AGES],
}

const NOTHING: Mix = Mix {
    bytes: 0.0,
    lives: [0.0; AGES],
};

/// Sums over groups, from the first on, by class. All zeroes is none. What is held is in bytes
/// times bytes allocated meanwhile.
#[repr(C)]
pub struct Sums {
    cells: [[Mix; GROUPS + 1]; CLASSES],
    /// Bytes in use at once, at most.
    peaks: [f64; CLASSES],
    costs: [[f64; GROUPS + 1]; GROUPS + 1],
    /// The time between each age and the next, in bytes; none of it lies beyond the horizon.
    spans: [f64; AGES],
    horizon: f64,
}

/// What was decided.
#[derive(Clone, Debug)]
pub struct Partition {
    /// The lane of each group.
    pub lanes: [u8; GROUPS],
    /// What is saved in each class: 0 where its blocks are not sorted. In bytes held, on the
    /// average over the time that was looked at.
    pub saved: [f64; CLASSES],
}

/// The group of a signature.
pub fn group_of(survival: &Survival) -> usize {
    ((survival.mean_age() * 2.0) as usize).min(GROUPS - 1)
}

/// All bases to the same power, which the compiler makes several of at a time.
fn powers(bases: &mut [f64; AGES], mut exponent: u32) {
    let mut squares = *bases;
    bases.fill(1.0);
    while exponent > 0 {
        if exponent & 1 != 0 {
            (0..AGES).for_each(|age| bases[age] *= squares[age]);
        }
        squares.iter_mut().for_each(|square| *square *= *square);
        exponent >>= 1;
    }
}

impl Sums {
    pub fn clear(&mut self) {
        // Cell by cell: as a whole it would lie on the stack.
        let cells = self.cells.iter_mut().flatten();
        cells.for_each(|cell| *cell = NOTHING);
        self.peaks.fill(0.0);
    }

    /// Adds a signature of `class`, all of whose blocks together have so many bytes, and at once
    /// at most `peak`.
    pub fn add(&mut self, class: usize, bytes: f64, peak: f64, survival: &Survival) {
        self.peaks[class] += peak;
        let cell = &mut self.cells[class][group_of(survival) + 1];
        cell.bytes += bytes;
        for (sum, share) in cell.lives.iter_mut().zip(survival.0) {
            *sum += bytes * f64::from(share);
        }
    }

    /// The best partition, over `horizon` bytes of allocation. Once after all was added.
    pub fn cut(&mut self, horizon: u64) -> Partition {
        self.sum_up(horizon);
        for row in &mut self.costs {
            row.fill(0.0);
        }
        for class in 0..CLASSES {
            let share = self.share_to_gain(class);
            if share > 0.0 {
                self.add_costs(class, share);
            }
        }
        let mut best = [[f64::INFINITY; GROUPS + 1]; LANES_MAX];
        let mut cut_at = [[0_u8; GROUPS + 1]; LANES_MAX];
        best[0] = self.costs[0];
        for lane in 1..LANES_MAX {
            for to in 1..=GROUPS {
                for from in 1..to {
                    let cost = best[lane - 1][from] + self.costs[from][to];
                    if cost < best[lane][to] {
                        best[lane][to] = cost;
                        cut_at[lane][to] = from as u8;
                    }
                }
            }
        }
        let lanes = (0..LANES_MAX).fold(0, |least, lane| {
            match best[lane][GROUPS] < best[least][GROUPS] {
                true => lane,
                false => least,
            }
        });
        let mut partition = Partition {
            lanes: [0; GROUPS],
            saved: [0.0; CLASSES],
        };
        let mut to = GROUPS;
        for lane in (1..=lanes).rev() {
            let from = usize::from(cut_at[lane][to]);
            partition.lanes[from..to].fill(lane as u8);
            to = from;
        }
        for class in 0..CLASSES {
            partition.saved[class] = self.saved(class, &partition.lanes);
        }
        partition
    }

    /// Bytes of a class in use at once, at most.
    pub fn peak(&self, class: usize) -> f64 {
        self.peaks[class]
    }

    fn sum_up(&mut self, horizon: u64) {
        self.horizon = horizon as f64;
        for (age, span) in self.spans.iter_mut().enumerate() {
            // What outlives the last age may stay to the end.
            let ends = if age + 1 < AGES {
                age_from(age + 2).min(horizon)
            } else {
                horizon
            };
            *span = ends.saturating_sub(age_from(age + 1)) as f64;
        }
        for groups in &mut self.cells {
            for group in 1..=GROUPS {
                let before = groups[group - 1];
                let cell = &mut groups[group];
                cell.bytes += before.bytes;
                for (sum, earlier) in cell.lives.iter_mut().zip(before.lives) {
                    *sum += earlier;
                }
            }
        }
    }

    fn bytes(&self, class: usize, from: usize, to: usize) -> f64 {
        self.cells[class][to].bytes - self.cells[class][from].bytes
    }

    fn is_empty(&self, class: usize, group: usize) -> bool {
        self.bytes(class, group, group + 1) <= 0.0
    }

    /// Of what it seems to hold less if each group has its own lane, the share that a class can gain.
    /// 0 if lanes are not worth it wherever the cuts are: then it has no say in where.
    fn share_to_gain(&self, class: usize) -> f64 {
        let apart = (0..GROUPS).map(|group| self.held(class, group, group + 1));
        let less = self.held(class, 0, GROUPS) - apart.sum::<f64>();
        match self.gain(class, less, 2) > 0.0 {
            true => self.bound(class, less) / less,
            false => 0.0,
        }
    }

    /// What a class gains by so many lanes that seem to hold less by so much; 0 if that is not worth it.
    fn gain(&self, class: usize, less: f64, lanes: usize) -> f64 {
        let gain = self.bound(class, less) - (lanes - 1) as f64 * self.slack();
        let whole = self.bound(class, self.held(class, 0, GROUPS));
        if gain > WORTH * whole { gain } else { 0.0 }
    }

    /// What a class seems to hold, but no more than it had in use at once.
    fn bound(&self, class: usize, held: f64) -> f64 {
        held.min(self.peaks[class] * self.horizon)
    }

    /// Adds what each range of groups costs in a class: this share of what it seems to hold. One that
    /// begins or ends with an empty group costs as much as without it.
    fn add_costs(&mut self, class: usize, share: f64) {
        let mut of_range = [0.0; GROUPS + 1];
        for from in (0..GROUPS).rev() {
            if !self.is_empty(class, from) {
                let mut cost = 0.0;
                for (to, of_range) in of_range.iter_mut().enumerate().skip(from + 1) {
                    if !self.is_empty(class, to - 1) {
                        cost = share * self.held(class, from, to) + self.slack();
                    }
                    *of_range = cost;
                }
            }
            let sums = self.costs[from].iter_mut().zip(of_range);
            sums.skip(from + 1).for_each(|(sum, cost)| *sum += cost);
        }
    }

    fn slack(&self) -> f64 {
        SLACK * self.horizon
    }

    /// What one lane of these groups seems to hold in a class.
    fn held(&self, class: usize, from: usize, to: usize) -> f64 {
        let (first, last) = (&self.cells[class][from], &self.cells[class][to]);
        let bytes = self.bytes(class, from, to);
        if bytes <= 0.0 {
            return 0.0;
        }
        let blocks = (UNIT / class::size_of(class) as u32).max(1);
        let mut free = [0.0; AGES];
        for (age, share) in free.iter_mut().enumerate() {
            *share = 1.0 - ((last.lives[age] - first.lives[age]) / bytes).clamp(0.0, 1.0);
        }
        powers(&mut free, blocks);
        let held = free.iter().zip(&self.spans);
        let held: f64 = held.map(|(free, span)| (1.0 - free) * span).sum();
        bytes * held
    }

    /// Bytes that a class holds less with these lanes than with one; 0 if that is not worth it.
    fn saved(&self, class: usize, lanes: &[u8; GROUPS]) -> f64 {
        let (mut used, mut parts) = (0, 0.0);
        let mut from = 0;
        for lane in lanes.chunk_by(|one, next| one == next) {
            let to = from + lane.len();
            used += usize::from(self.bytes(class, from, to) > 0.0);
            parts += self.held(class, from, to);
            from = to;
        }
        if used > 1 {
            let less = self.held(class, 0, GROUPS) - parts;
            self.gain(class, less, used) / self.horizon
        } else {
            0.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::evidence::age_class;
    use proptest::prelude::*;
    use std::boxed::Box;
    use std::vec::Vec;

    const MIB: u64 = 1 << 20;
    const HORIZON: u64 = 1 << 30;

    fn sums() -> Box<Sums> {
        // SAFETY: all zeroes are no sums.
        unsafe { Box::new_zeroed().assume_init() }
    }

    /// All blocks live so many bytes.
    fn lives(bytes: u64) -> Survival {
        let mut survival = Survival([0.0; AGES]);
        survival.0[..age_class(bytes)].fill(1.0);
        survival
    }

    #[test]
    fn few_long_lives_among_many_short_ones_get_a_lane() {
        let mut sums = sums();
        let class = class::class_of(256);
        sums.add(class, 900e6, 90e6, &lives(MIB));
        sums.add(class, 10e6, 10e6, &lives(HORIZON));
        let partition = sums.cut(HORIZON);
        let lane = |bytes| partition.lanes[group_of(&lives(bytes))];
        assert_eq!(lane(MIB), 0);
        assert!(lane(HORIZON) > 0);
        assert!(partition.saved[class] > 50e6, "{}", partition.saved[class]);
    }

    #[test]
    fn where_all_live_alike_there_is_one_lane() {
        for life in [1000, MIB, HORIZON] {
            let mut sums = sums();
            for class in 0..20 {
                sums.add(class, 50e6, 9e6, &lives(life));
            }
            let partition = sums.cut(HORIZON);
            assert!(partition.saved.iter().all(|&saved| saved == 0.0));
        }
    }

    #[test]
    fn a_small_heap_is_left_alone() {
        let mut sums = sums();
        for class in 0..20 {
            sums.add(class, 20e6, 10e3, &lives(8192));
            sums.add(class, 2000.0, 2000.0, &lives(HORIZON));
        }
        let partition = sums.cut(HORIZON);
        let saved: f64 = partition.saved.iter().sum();
        assert_eq!(saved, 0.0);
    }

    #[test]
    fn blocks_of_whole_units_need_no_lanes() {
        let mut sums = sums();
        let class = class::class_of(64 << 10);
        sums.add(class, 900e6, 90e6, &lives(MIB));
        sums.add(class, 90e6, 90e6, &lives(HORIZON));
        assert_eq!(sums.cut(HORIZON).saved[class], 0.0);
    }

    #[test]
    fn a_class_has_as_much_say_as_it_can_gain() {
        // One allocates nearly all, but has little in use; the other gains by another cut.
        let mut sums = sums();
        let (much, other) = (class::class_of(64), class::class_of(256));
        for life in [24, 25, 26, 27] {
            sums.add(much, 250e6, 100e3, &lives(1 << life));
        }
        sums.add(other, 5e6, 2e6, &lives(1 << 28));
        sums.add(other, 500e3, 500e3, &lives(HORIZON));
        let partition = sums.cut(HORIZON);
        assert!(partition.saved[other] > 0.0, "{:?}", partition.lanes);
    }

    #[test]
    fn classes_without_gain_have_no_say() {
        // Each would pay for a further lane more than the one that gains by it gets.
        let mut sums = sums();
        let class = class::class_of(256);
        for other in (0..60).filter(|&other| other != class) {
            sums.add(other, 90e3, 20e3, &lives(8192));
            sums.add(other, 9e3, 9e3, &lives(HORIZON));
        }
        sums.add(class, 90e6, 900e3, &lives(MIB));
        sums.add(class, 100e3, 100e3, &lives(HORIZON));
        let partition = sums.cut(HORIZON);
        assert!(partition.saved[class] > 500e3, "{}", partition.saved[class]);
        assert_eq!(partition.saved.iter().filter(|&&s| s > 0.0).count(), 1);
    }

    #[test]
    fn what_outlives_all_ages_stays_to_the_end() {
        let long = 1 << 44;
        let mut sums = sums();
        let class = class::class_of(256);
        sums.add(class, 100e9, 9e9, &lives(MIB));
        sums.add(class, 1e9, 1e9, &Survival([1.0; AGES]));
        let saved = sums.cut(long).saved[class];
        assert!(saved > 5e9, "{saved}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn two_lanes_hold_no_more_than_one(
            signatures in prop::collection::vec((0..96usize, 1u32..1000, 0u32..50, prop::array::uniform24(0.0f32..1.0)), 1..40),
        ) {
            let mut sums = sums();
            for &(class, mib, peak, mut shares) in &signatures {
                shares.sort_by(|a, b| b.total_cmp(a));
                sums.add(class, f64::from(mib) * 1e6, f64::from(peak) * 1e6, &Survival(shares));
            }
            sums.cut(HORIZON);
            let shares: Vec<f64> = (0..CLASSES).map(|class| sums.share_to_gain(class)).collect();
            for (from, costs) in sums.costs.iter().enumerate() {
                for (to, found) in costs.iter().enumerate().skip(from + 1) {
                    let cut = (from + to) / 2;
                    let mut shadow = 0.0;
                    for (class, &share) in shares.iter().enumerate() {
                        let whole = sums.held(class, from, to);
                        let parts = sums.held(class, from, cut) + sums.held(class, cut, to);
                        prop_assert!(parts <= whole * (1.0 + 1e-6) + 1.0);
                        if share > 0.0 && sums.bytes(class, from, to) > 0.0 {
                            shadow += share * whole + sums.slack();
                        }
                    }
                    prop_assert!((found - shadow).abs() <= shadow * 1e-9);
                }
            }
        }
    }

    proptest! {
        #[test]
        fn no_cut_in_two_is_better(signatures in prop::collection::vec((0..40usize, 1u32..1000, 12..30u32), 1..30)) {
            let mut sums = sums();
            for &(class, mib, log) in &signatures {
                sums.add(class, f64::from(mib) * 1e6, 1e6, &lives(1 << log));
            }
            let partition = sums.cut(HORIZON);
            let cost = |lanes: &[u8; GROUPS]| {
                let mut from = 0;
                let mut cost = 0.0;
                while from < GROUPS {
                    let to = from + lanes[from..].iter().take_while(|&&l| l == lanes[from]).count();
                    cost += sums.costs[from][to];
                    from = to;
                }
                cost
            };
            let found = cost(&partition.lanes);
            for cut in 0..GROUPS {
                let mut two = [1; GROUPS];
                two[..cut].fill(0);
                prop_assert!(found <= cost(&two) * (1.0 + 1e-9));
            }
        }
    }
}
