//! How long blocks live: the share that is still in use at each age.
//!
//! The product-limit estimate, which also learns from blocks whose end was not seen (E. L.
//! Kaplan, P. Meier, "Nonparametric estimation from incomplete observations", 1958). Where there are
//! few samples it leans on what is known of their kind: the kind counts as so many samples
//! more (a beta prior of each hazard).

use super::evidence::{AGES, Row};

/// The share of blocks that live beyond each class of lifetimes.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(transparent)]
pub struct Survival(pub [f32; AGES]);

/// Deaths, and blocks in use, by age.
#[derive(Clone, Copy)]
pub struct Deaths {
    died: [u64; AGES],
    alive: [u64; AGES],
}

impl Deaths {
    pub const NONE: Deaths = Deaths {
        died: [0; AGES],
        alive: [0; AGES],
    };

    pub fn add(&mut self, row: &Row) {
        for age in 0..AGES {
            self.died[age] += u64::from(row.died[age]);
            self.alive[age] += u64::from(row.alive[age]);
        }
    }

    /// The estimate, if `kind` counts as `weight` samples.
    pub fn survival(&self, kind: &Survival, weight: f32) -> Survival {
        let mut at_risk: u64 = self.died.iter().chain(&self.alive).sum();
        let (mut lives, mut kind_lives) = (1.0_f32, 1.0_f32);
        let mut survival = Survival([0.0; AGES]);
        for age in 0..AGES {
            // Of an age that its kind does not reach, the kind says nothing.
            let (kind_hazard, weight) = match kind_lives > 1e-6 {
                true => (1.0 - kind.0[age] / kind_lives, weight),
                false => (0.0, 0.0),
            };
            kind_lives = kind.0[age];
            // Those whose age lies in this class have been at risk for half of it.
            let risk = at_risk as f32 - self.alive[age] as f32 / 2.0;
            let ended = self.died[age] as f32 + weight * kind_hazard;
            if ended > 0.0 {
                lives *= 1.0 - (ended / (risk + weight)).min(1.0);
            }
            survival.0[age] = lives;
            at_risk -= self.died[age] + self.alive[age];
        }
        survival
    }
}

impl Survival {
    /// Of what nothing is known: each class of lifetimes ends a fifth of them.
    pub const UNKNOWN: Survival = {
        let (mut shares, mut share, mut age) = ([0.0; AGES], 1.0, 0);
        while age < AGES {
            share *= 0.8;
            shares[age] = share;
            age += 1;
        }
        Survival(shares)
    };

    /// The mean class of lifetimes.
    pub fn mean_age(&self) -> f32 {
        self.0.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn deaths(died: &[(usize, u32)], alive: &[(usize, u32)]) -> Deaths {
        let mut row = Row::EMPTY;
        died.iter().for_each(|&(age, count)| row.died[age] = count);
        alive
            .iter()
            .for_each(|&(age, count)| row.alive[age] = count);
        let mut deaths = Deaths::NONE;
        deaths.add(&row);
        deaths
    }

    #[test]
    fn without_a_kind_it_is_the_share_that_was_seen() {
        let found = deaths(&[(2, 30), (5, 10)], &[]).survival(&Survival::UNKNOWN, 0.0);
        assert_eq!(found.0[1], 1.0);
        assert!((found.0[2] - 0.25).abs() < 1e-6);
        assert!(found.0[5] < 1e-6);
    }

    #[test]
    fn blocks_in_use_count_until_their_age() {
        // Half die young; of the others nobody has seen one die.
        let found = deaths(&[(1, 50)], &[(9, 50)]).survival(&Survival::UNKNOWN, 0.0);
        assert!((found.0[1] - 0.5).abs() < 1e-6);
        assert!((found.0[AGES - 2] - 0.5).abs() < 1e-6);
    }

    #[test]
    fn few_samples_lean_on_their_kind() {
        let kind = deaths(&[(1, 1000)], &[]).survival(&Survival::UNKNOWN, 0.0);
        let one = deaths(&[], &[(20, 1)]).survival(&kind, 8.0);
        let many = deaths(&[], &[(20, 100)]).survival(&kind, 8.0);
        assert!(one.0[5] < 0.2, "{:?}", one.0[5]);
        assert!(many.0[5] > 0.9, "{:?}", many.0[5]);
    }

    #[test]
    fn the_mean_age_grows_with_what_stays() {
        let found = |alive| {
            let found = deaths(&[(3, 50)], &[(20, alive)]);
            found.survival(&Survival::UNKNOWN, 4.0).mean_age()
        };
        assert!(found(0) < found(5) && found(5) < found(50));
    }

    proptest! {
        #[test]
        fn shares_are_shares_and_never_grow_with_age(
            died in prop::collection::vec(prop_oneof![Just(0), 0..5u32, any::<u32>()], AGES),
            alive in prop::collection::vec(prop_oneof![Just(0), 0..5u32, any::<u32>()], AGES),
            of_kind in prop::collection::vec(0..9u32, AGES),
            weight in prop_oneof![Just(0.0_f32), Just(4.0)],
        ) {
            let row = |died: &[u32], alive: &[u32]| {
                let mut row = Row::EMPTY;
                row.died.copy_from_slice(died);
                row.alive.copy_from_slice(alive);
                let mut deaths = Deaths::NONE;
                deaths.add(&row);
                deaths
            };
            let kind = row(&of_kind, &[0; AGES]).survival(&Survival::UNKNOWN, weight);
            let found = row(&died, &alive).survival(&kind, weight);
            let mut before = 1.0;
            for share in found.0 {
                prop_assert!((0.0..=before).contains(&share), "{found:?}");
                before = share;
            }
        }
    }
}
