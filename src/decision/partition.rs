//! Which lifetimes share pages.
//!
//! A page holds blocks that were allocated one after the other. Its memory is held until
//! the last of them is freed; so of a page with n blocks, each of which lives beyond age t
//! with probability S(t), the share 1 - (1 - S(t))ⁿ is still held then. What that costs, in bytes
//! held times bytes allocated meanwhile, is added up for each way to sort the blocks of a size class
//! into lanes by how long their signatures live. No class is held in vain beyond what it ever
//! had in use at once: in a steady heap new blocks fill the gaps. The best cuts are found by dynamic
//! programming, as for the breaks of a histogram (W. D. Fisher, "On grouping for maximum
//! homogeneity", 1958).

use super::evidence::{AGES, age_from};
use super::survival::Survival;
use crate::base::class::{self, CLASSES};

/// Signatures are sorted into so many groups by how long they live, before cuts are looked for.
pub const GROUPS: usize = 2 * AGES;
/// The most lanes that blocks are sorted into.
pub const LANES_MAX: usize = 4;

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

/// Sums over groups, from the first on, by class. All zeroes is none.
#[repr(C)]
pub struct Sums {
    cells: [[Mix; GROUPS + 1]; CLASSES],
    /// Bytes in use at once, at most.
    peaks: [f64; CLASSES],
    costs: [[f64; GROUPS + 1]; GROUPS + 1],
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

fn power(base: f64, mut exponent: u32) -> f64 {
    let (mut square, mut product) = (base, 1.0);
    while exponent > 0 {
        if exponent & 1 != 0 {
            product *= square;
        }
        square *= square;
        exponent >>= 1;
    }
    product
}

impl Sums {
    pub fn clear(&mut self) {
        self.cells = [[NOTHING; GROUPS + 1]; CLASSES];
        self.peaks = [0.0; CLASSES];
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

    /// The best partition, over `horizon` bytes of allocation.
    pub fn cut(&mut self, horizon: u64) -> Partition {
        self.sum_up();
        for from in 0..GROUPS {
            for to in from + 1..=GROUPS {
                let classes = 0..CLASSES;
                self.costs[from][to] = classes
                    .map(|class| self.cost(class, from, to, horizon))
                    .sum();
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
            partition.saved[class] = self.saved(class, &partition.lanes, horizon);
        }
        partition
    }

    /// Bytes of a class in use at once, at most.
    pub fn peak(&self, class: usize) -> f64 {
        self.peaks[class]
    }

    fn sum_up(&mut self) {
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

    /// What one lane of these groups holds in a class, and what the lane itself costs.
    fn cost(&self, class: usize, from: usize, to: usize, horizon: u64) -> f64 {
        let (first, last) = (&self.cells[class][from], &self.cells[class][to]);
        let bytes = last.bytes - first.bytes;
        if bytes <= 0.0 {
            return 0.0;
        }
        let blocks = (UNIT / class::size_of(class) as u32).max(1);
        let mut cost = SLACK * horizon as f64;
        for age in 0..AGES - 1 {
            let begins = age_from(age + 1);
            if begins >= horizon {
                break;
            }
            let ends = age_from((age + 2).min(AGES - 1))
                .max(2 * begins)
                .min(horizon);
            let share = ((last.lives[age] - first.lives[age]) / bytes).clamp(0.0, 1.0);
            cost += bytes * (1.0 - power(1.0 - share, blocks)) * (ends - begins) as f64;
        }
        cost
    }

    /// Bytes that a class holds less with these lanes than with one; 0 if that is not worth it.
    fn saved(&self, class: usize, lanes: &[u8; GROUPS], horizon: u64) -> f64 {
        let whole = self.cost(class, 0, GROUPS, horizon);
        let (mut parts, mut from) = (0.0, 0);
        while from < GROUPS {
            let lane = lanes[from];
            let to = from
                + lanes[from..]
                    .iter()
                    .take_while(|&&other| other == lane)
                    .count();
            parts += self.cost(class, from, to, horizon);
            from = to;
        }
        let saved = (whole - parts) / horizon as f64;
        let saved = saved.min(self.peaks[class] - SLACK);
        if saved > WORTH * whole / horizon as f64 {
            saved
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
