//! Which of a few policies costs a signature least, where only trying tells.
//!
//! One arm is played for an epoch, and its cost is told at the end. Played is the arm that may be the
//! cheapest, by the lower end of its confidence interval (UCB1: P. Auer, N. Cesa-Bianchi,
//! P. Fischer, "Finite-time analysis of the multiarmed bandit problem", 2002; there by rewards).
//! Only arms that may be as cheap as the best are played: those whose difference to it has a
//! confidence interval with zero in it. Changing the arm leaves half-used pages behind, so an arm is
//! played on until another one is better by a margin. What was long ago counts for ever less, so
//! that a program may change (A. Garivier, E. Moulines, "On upper-confidence bound policies for
//! switching bandit problems", 2011).
//!
//! No chance and no floating point: the same costs give the same choices everywhere.
//!
//! Invariants
//! 1. All plays together are less than `WINDOW`.
//! 2. The sum of an arm's costs is at most `ONE` a play.
//! 3. `best` and `last` are arms.

/// The most arms.
pub const ARMS: usize = 8;
/// The highest cost: costs are multiples of 1 / 65536.
pub const ONE: u32 = 1 << 16;

/// Epochs before anything but the first arm is played.
const EPOCHS_MIN: u32 = 4;
/// After so many plays all count for half.
const WINDOW: u32 = 1024;
/// By so much another arm must be better.
const MARGIN: u32 = ONE / 16;

/// The arms of a signature. Arm 0 is what is done without a reason for anything else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct Bandit {
    /// Costs of each arm, added up.
    sums: [u32; ARMS],
    plays: [u16; ARMS],
    arms: u8,
    best: u8,
    /// Played in the last epoch.
    last: u8,
}

const _: () = assert!(size_of::<Bandit>() <= 128);

impl Bandit {
    /// So many arms, at least one and at most `ARMS`, of which nothing is known.
    pub const fn new(arms: usize) -> Bandit {
        assert!(arms >= 1 && arms <= ARMS);
        Bandit {
            sums: [0; ARMS],
            plays: [0; ARMS],
            arms: arms as u8,
            best: 0,
            last: 0,
        }
    }

    /// The arm for the next epoch.
    pub fn choose(&self) -> usize {
        let all = self.all_plays();
        if all < EPOCHS_MIN {
            return 0;
        }
        if let Some(new) = self.arms().find(|&arm| self.plays[arm] == 0) {
            return new;
        }
        let contends = |arm: &usize| *arm == self.best() || !self.is_worse(*arm);
        let bound =
            |arm: usize| i64::from(self.mean(arm)) - i64::from(radius(all, self.played(arm)));
        // Of equals the first.
        let least = self.arms().filter(contends).min_by_key(|&arm| bound(arm));
        let (least, last) = (least.unwrap_or(self.best()), usize::from(self.last));
        let plays_on = contends(&last) && bound(last) < bound(least) + i64::from(MARGIN);
        if plays_on { last } else { least }
    }

    /// What an epoch with `arm` cost. Costs above `ONE` count as that.
    pub fn reward(&mut self, arm: usize, cost: u32) {
        if !self.arms().contains(&arm) {
            return;
        }
        self.sums[arm] += cost.min(ONE);
        self.plays[arm] += 1;
        self.last = arm as u8;
        if self.all_plays() >= WINDOW {
            self.fade();
        }
        let played = self.arms().filter(|&arm| self.plays[arm] > 0);
        let cheapest = played.min_by_key(|&arm| self.mean(arm)).unwrap_or(arm);
        let never_played = self.played(self.best()) == 0;
        if never_played || self.mean(cheapest) + MARGIN <= self.mean(self.best()) {
            self.best = cheapest as u8;
        }
    }

    /// The cheapest arm so far; the one that was it before, while no other is better by a margin.
    pub fn best(&self) -> usize {
        self.best.into()
    }

    /// Whether every other arm is known to be worse than the best.
    pub fn is_settled(&self) -> bool {
        let mut others = self.arms().filter(|&arm| arm != self.best());
        self.all_plays() >= EPOCHS_MIN && others.all(|arm| self.is_worse(arm))
    }

    fn arms(&self) -> core::ops::Range<usize> {
        0..self.arms.into()
    }

    fn played(&self, arm: usize) -> u32 {
        self.plays[arm].into()
    }

    fn all_plays(&self) -> u32 {
        self.arms().map(|arm| self.played(arm)).sum()
    }

    /// The mean cost of an arm that was played.
    fn mean(&self, arm: usize) -> u32 {
        self.sums[arm] / self.played(arm).max(1)
    }

    /// Whether an arm is known to cost more than the best: the confidence interval of the
    /// difference lies above zero.
    fn is_worse(&self, arm: usize) -> bool {
        let (one, other) = (self.played(self.best()), self.played(arm));
        if one == 0 || other == 0 {
            return false;
        }
        let more = self.mean(arm).saturating_sub(self.mean(self.best()));
        // √(ln all · (1/n₁ + 1/n₂)): wrong once in all² epochs at most (W. Hoeffding, "Probability
        // inequalities for sums of bounded random variables", 1963). Not twice the logarithm as in
        // `radius`: arms are played only until they lie about there, so none would ever be told.
        let spread = ln(self.all_plays()) * u64::from(one + other);
        u64::from(more).pow(2) > (spread << 16) / (u64::from(one) * u64::from(other))
    }

    /// All that was seen counts for half; of an arm that was played, one play at least.
    fn fade(&mut self) {
        for (sum, plays) in self.sums.iter_mut().zip(&mut self.plays) {
            let (before, after) = (u32::from(*plays).max(1), u32::from(*plays).div_ceil(2));
            *sum = (u64::from(*sum) * u64::from(after) / u64::from(before)) as u32;
            *plays = after as u16;
        }
    }
}

/// Half the length of an arm's confidence interval, after `plays` of it and `all` of all arms:
/// √(2 ln all / plays).
fn radius(all: u32, plays: u32) -> u32 {
    (((2 * ln(all)) << 16) / u64::from(plays.max(1))).isqrt() as u32
}

/// The natural logarithm of a number above 0, in multiples of 1 / 65536: straight between powers of
/// two, so at most 0.06 too little.
fn ln(number: u32) -> u64 {
    const LN_2: u64 = 45426;
    let log = number.ilog2();
    let fraction = (u64::from(number) << 16 >> log) - (1 << 16);
    (((u64::from(log) << 16) + fraction) * LN_2) >> 16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::mix::mix;
    use proptest::prelude::*;
    use std::vec::Vec;

    /// A cost with this mean, at most half of it or of its distance to one away.
    fn noisy(mean: f64, epoch: u64) -> u32 {
        let unit = (mix(5, epoch) >> 11) as f64 / (1_u64 << 53) as f64;
        let cost = mean + (unit - 0.5) * mean.min(1.0 - mean);
        (cost * f64::from(ONE)) as u32
    }

    /// The arms that are played, where arm `a` costs `cost(a, epoch)`.
    fn play(bandit: &mut Bandit, epochs: u64, cost: impl Fn(usize, u64) -> u32) -> Vec<usize> {
        let play = |epoch| {
            let arm = bandit.choose();
            bandit.reward(arm, cost(arm, epoch));
            arm
        };
        (0..epochs).map(play).collect()
    }

    #[test]
    fn logarithms_are_right() {
        for number in [1, 2, 3, 4, 5, 7, 100, 1023, 1024, u32::MAX] {
            let exact = f64::from(number).ln() * f64::from(ONE);
            let off = exact - ln(number) as f64;
            assert!(
                off > -16.0 && off < 0.06 * f64::from(ONE),
                "{number}: {off}"
            );
        }
    }

    #[test]
    fn the_first_epochs_are_for_the_first_arm() {
        let mut bandit = Bandit::new(3);
        assert!(!bandit.is_settled());
        let played = play(&mut bandit, 7, |_, _| ONE / 2);
        assert_eq!(played[..6], [0, 0, 0, 0, 1, 2]);
        let mut alone = Bandit::new(1);
        assert!(play(&mut alone, 99, |_, _| ONE).iter().all(|&arm| arm == 0));
        assert!(alone.is_settled());
    }

    #[test]
    fn the_best_arm_is_found_with_little_regret() {
        const EPOCHS: u64 = 1000;
        for means in [
            [0.7, 0.2, 0.7, 0.7],
            [0.9, 0.6, 0.1, 0.7],
            [0.1, 0.6, 0.9, 0.6],
        ] {
            let mut bandit = Bandit::new(4);
            let played = play(&mut bandit, EPOCHS, |arm, epoch| noisy(means[arm], epoch));
            let least = means.into_iter().fold(1.0, f64::min);
            assert_eq!(means[bandit.best()], least);
            assert!(bandit.is_settled());
            let regret: f64 = played.iter().map(|&arm| means[arm] - least).sum();
            // Of UCB1, by its first theorem, and of the first epochs.
            let gaps = means.map(|mean| mean - least);
            let ln = (EPOCHS as f64).ln();
            let of_arm = |gap: f64| {
                if gap > 0.0 {
                    8.0 * ln / gap + 4.3 * gap
                } else {
                    0.0
                }
            };
            let bound = gaps.map(of_arm).iter().sum::<f64>() + 4.0;
            assert!(regret < bound, "{regret} {bound}");
            let lately = played[900..].iter().filter(|&&arm| means[arm] == least);
            assert!(lately.count() > 90);
        }
    }

    #[test]
    fn what_has_changed_is_found() {
        const HALF: u64 = 3000;
        let mut bandit = Bandit::new(2);
        let mean = |arm: usize, epoch: u64| match (epoch / HALF) as usize % 2 == arm {
            true => 0.2,
            false => 0.8,
        };
        let mut cost = 0.0;
        for epoch in 0..10 * HALF {
            if epoch % HALF == HALF - 1 {
                assert_eq!(mean(bandit.best(), epoch), 0.2, "{epoch}");
            }
            let arm = bandit.choose();
            cost += mean(arm, epoch);
            bandit.reward(arm, noisy(mean(arm, epoch), epoch));
        }
        cost /= (10 * HALF) as f64;
        assert!(cost < 0.35, "{cost}");
    }

    #[test]
    fn arms_alike_are_not_changed_all_the_time() {
        let mut bandit = Bandit::new(2);
        let mut bests = 0;
        let mut best = bandit.best();
        let mut changes = 0;
        let mut last = 0;
        for epoch in 0..10_000 {
            let arm = bandit.choose();
            changes += u32::from(arm != last);
            last = arm;
            bandit.reward(arm, noisy(0.5, epoch));
            bests += u32::from(bandit.best() != best);
            best = bandit.best();
        }
        assert!(changes < 300, "{changes}");
        assert!(bests < 5, "{bests}");
    }

    /// Who makes every arm dear that is played does not bring it to forget one.
    #[test]
    fn against_an_adversary_every_arm_has_its_turn() {
        for arms in 2..=ARMS {
            let played = play(&mut Bandit::new(arms), 4000, |_, _| ONE);
            for arm in 0..arms {
                let plays = played.iter().filter(|&&played| played == arm).count();
                assert!(plays > 4000 / arms / 4, "{arm} of {arms}: {plays}");
            }
        }
    }

    proptest! {
        /// Whatever costs there are: the sums stay in bounds, the same gives the same, and the arms are
        /// those that there are.
        #[test]
        fn no_costs_do_harm(arms in 1..=ARMS, costs in prop::collection::vec(prop_oneof![Just(0), Just(ONE), any::<u32>()], 1..2000)) {
            let (mut one, mut other) = (Bandit::new(arms), Bandit::new(arms));
            for cost in costs {
                let arm = one.choose();
                prop_assert!(arm < arms && one.best() < arms);
                prop_assert_eq!(arm, other.choose());
                one.reward(arm, cost);
                other.reward(arm, cost);
                prop_assert_eq!(one, other);
                prop_assert!(one.all_plays() < WINDOW);
                for arm in 0..arms {
                    prop_assert!(one.sums[arm] <= one.played(arm) * ONE);
                }
                if one.is_settled() {
                    prop_assert_eq!(one.choose(), one.best());
                }
            }
        }
    }
}
