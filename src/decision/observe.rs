//! The observer: samples of blocks, from their birth to their death, in tables of fixed
//! size.
//!
//! Samples are taken at distances in bytes that have an exponential distribution, so that
//! each byte is as likely as any other to be looked at (as heap profilers do: S. Ghemawat,
//! "Sampling in tcmalloc"). The clock is the bytes that all samples so far stand for.
//!
//! Invariants
//! 1. `live` is a hash table with linear probing: no empty place lies between where an
//!    entry belongs and where it is. Likewise `index`, whose entries are 1 + a row.
//! 2. For each row, samples = all of `died` + its entries in `live`, which are `in_use`.

use super::evidence::{AGES, DEPTH, Place, Row, age_class, signature_class, weight};
use super::real::ln;
use crate::base::mix::mix;

/// Signatures that are told apart. The last quarter is for sites alone.
pub const ROWS: usize = 8192;
const DEEP_ROWS: usize = ROWS / 4 * 3;
/// Samples in use at once. Beyond three quarters of it half of them are forgotten.
pub const LIVE: usize = 32768;
/// Samples of one signature, beyond which half of all are forgotten, too: so no count overflows.
const SAMPLES_MAX: u64 = 1 << 31;

/// A sampled block in use. Its key is never 0.
#[derive(Clone, Copy)]
#[repr(C)]
struct Live {
    key: u64,
    birth: u64,
    thread: u64,
    row: u32,
}

/// The tables. All zeroes are empty ones.
#[repr(C)]
pub struct Tables {
    rows: [Row; ROWS],
    in_use: [u32; ROWS],
    index: [u32; 2 * ROWS],
    live: [Live; LIVE],
}

const NOBODY: Live = Live {
    key: 0,
    birth: 0,
    thread: 0,
    row: 0,
};

/// What is born: what the caller knows of a block.
#[derive(Clone, Copy)]
pub struct Birth {
    /// What the block is known by: any number but 0.
    pub key: u64,
    /// Bytes asked for.
    pub size: usize,
    pub path: [Place; DEPTH],
    /// Any number that stands for the thread.
    pub thread: u64,
}

pub struct Observer<'a> {
    tables: &'a mut Tables,
    rows: usize,
    live: usize,
    /// Bytes that were allocated, by what the samples stand for.
    clock: u64,
    mean: u64,
    /// The mean before any samples were forgotten.
    first_mean: u64,
    random: u64,
}

impl<'a> Observer<'a> {
    /// An observer over empty tables, which samples one byte in `mean` in the mean.
    pub fn new(tables: &'a mut Tables, mean: u64, seed: u64) -> Self {
        Observer {
            tables,
            rows: 0,
            live: 0,
            clock: 0,
            mean: mean.max(1),
            first_mean: mean.max(1),
            random: mix(seed, 0),
        }
    }

    /// Forgets everything that was seen.
    pub fn clear(&mut self) {
        self.tables.rows[..self.rows].fill(Row::EMPTY);
        self.tables.in_use[..self.rows].fill(0);
        self.tables.index.fill(0);
        self.tables.live.fill(NOBODY);
        (self.rows, self.live, self.clock) = (0, 0, 0);
        self.mean = self.first_mean;
    }

    pub fn clock(&self) -> u64 {
        self.clock
    }

    /// Bytes from one sample to the next, in the mean.
    pub fn mean(&self) -> u64 {
        self.mean
    }

    /// Bytes until the next sample.
    pub fn draw(&mut self) -> u64 {
        self.random = mix(self.random, 1);
        // 53 bits of it, as a number above 0 and at most 1.
        let unit = ((self.random >> 11) + 1) as f64 / (1_u64 << 53) as f64;
        (-ln(unit) * self.mean as f64) as u64 + 1
    }

    /// A sampled block is born. Says whether it was noted.
    pub fn born(&mut self, birth: &Birth) -> bool {
        self.clock += weight(birth.size as u64, self.mean);
        if self.live >= LIVE / 4 * 3 {
            self.forget_half();
        }
        let class = signature_class(birth.size);
        let row = self.row_of(class, &birth.path).or_else(|| {
            let mut site = [Place::NONE; DEPTH];
            site[0] = birth.path[0];
            self.row_of(class, &site)
        });
        let Some(row) = row else {
            return false;
        };
        if self.tables.rows[row].samples >= SAMPLES_MAX {
            self.forget_half();
        }
        let mut at = home_of(birth.key);
        while self.tables.live[at].key != 0 {
            if self.tables.live[at].key == birth.key {
                // It died unseen.
                self.remove(at);
                return self.born_into(row, birth);
            }
            at = (at + 1) % LIVE;
        }
        self.born_into(row, birth)
    }

    fn born_into(&mut self, row: usize, birth: &Birth) -> bool {
        let mut at = home_of(birth.key);
        while self.tables.live[at].key != 0 {
            at = (at + 1) % LIVE;
        }
        self.tables.live[at] = Live {
            key: birth.key,
            birth: self.clock,
            thread: birth.thread,
            row: row as u32,
        };
        self.live += 1;
        self.tables.in_use[row] += 1;
        let seen = &mut self.tables.rows[row];
        seen.samples += 1;
        seen.bytes += birth.size as u64;
        seen.peak = seen.peak.max(self.tables.in_use[row]);
        true
    }

    /// A sampled block dies, freed by `thread`. Nothing happens if it is not known.
    pub fn died(&mut self, key: u64, thread: u64) {
        let Some(at) = self.find(key) else { return };
        let entry = self.tables.live[at];
        let row = &mut self.tables.rows[entry.row as usize];
        row.died[age_class(self.clock - entry.birth)] += 1;
        row.remote += u32::from(entry.thread != thread);
        self.tables.in_use[entry.row as usize] -= 1;
        self.empty(at);
    }

    /// `realloc` has made a sampled block longer.
    pub fn grew(&mut self, key: u64) {
        if let Some(at) = self.find(key) {
            let row = self.tables.live[at].row as usize;
            let grown = &mut self.tables.rows[row].grown;
            *grown = grown.saturating_add(1);
        }
    }

    /// All rows, with those in use counted by their age as of now.
    pub fn rows(&mut self) -> &[Row] {
        let rows = &mut self.tables.rows[..self.rows];
        for row in rows.iter_mut() {
            row.alive = [0; AGES];
        }
        for entry in self.tables.live.iter().filter(|entry| entry.key != 0) {
            rows[entry.row as usize].alive[age_class(self.clock - entry.birth)] += 1;
        }
        rows
    }

    fn find(&self, key: u64) -> Option<usize> {
        let mut at = home_of(key);
        loop {
            match self.tables.live[at].key {
                0 => return None,
                found if found == key => return Some(at),
                _ => at = (at + 1) % LIVE,
            }
        }
    }

    /// Takes an entry out as if it had never been born, and as if it had been as large as most of its row.
    fn remove(&mut self, at: usize) {
        let row = self.tables.live[at].row as usize;
        self.tables.in_use[row] -= 1;
        let row = &mut self.tables.rows[row];
        row.bytes -= row.bytes / row.samples;
        row.samples -= 1;
        self.empty(at);
    }

    /// Empties a place, and moves up what lies behind it.
    fn empty(&mut self, mut hole: usize) {
        let live = &mut self.tables.live;
        let mut at = hole;
        loop {
            at = (at + 1) % LIVE;
            if live[at].key == 0 {
                break;
            }
            // It may move up if the hole lies between where it belongs and where it is.
            let wants = home_of(live[at].key);
            if (at + LIVE - wants) % LIVE >= (at + LIVE - hole) % LIVE {
                live[hole] = live[at];
                hole = at;
            }
        }
        live[hole] = NOBODY;
        self.live -= 1;
    }

    /// The row of a signature, made if there is none and there is room.
    fn row_of(&mut self, class: usize, path: &[Place; DEPTH]) -> Option<usize> {
        let hash = path.iter().fold(mix(0, class as u64), |h, p| mix(h, p.0));
        let room = match path[1].is_none() {
            true => ROWS,
            false => DEEP_ROWS,
        };
        let places = self.tables.index.len();
        let mut at = hash as usize % places;
        loop {
            match self.tables.index[at] as usize {
                0 if self.rows >= room => return None,
                0 => break,
                row => {
                    let found = &self.tables.rows[row - 1];
                    if found.class as usize == class && found.path == *path {
                        return Some(row - 1);
                    }
                }
            }
            at = (at + 1) % places;
        }
        let row = self.rows;
        self.rows += 1;
        self.tables.index[at] = self.rows as u32;
        self.tables.rows[row].class = class as u32;
        self.tables.rows[row].path = *path;
        Some(row)
    }

    /// Goes on with half of all samples, each of which stands for twice as much. Which half is
    /// another draw each time, or those that stayed once would stay for ever.
    fn forget_half(&mut self) {
        self.mean *= 2;
        let draw = self.mean;
        let mut at = 0;
        while at < LIVE {
            // What moves up into an emptied place is looked at in its turn. What wraps around
            // may be looked at twice, or not at all.
            let entry = self.tables.live[at];
            if entry.key != 0 && mix(mix(draw, entry.key), entry.birth) & 1 == 0 {
                self.remove(at);
            } else {
                at += 1;
            }
        }
        let rows = self.tables.rows[..self.rows].iter_mut();
        for (number, (row, &in_use)) in rows.zip(&self.tables.in_use).enumerate() {
            let mut chance = mix(draw, number as u64);
            let counts = row.died.iter_mut().chain([&mut row.remote, &mut row.grown]);
            for count in counts {
                *count = half(*count, chance);
                chance = mix(chance, 0);
            }
            row.peak = row.peak.div_ceil(2).max(in_use);
            let died: u64 = row.died.iter().map(|&count| u64::from(count)).sum();
            let before = row.samples.max(1);
            row.samples = died + u64::from(in_use);
            row.bytes =
                (u128::from(row.bytes) * u128::from(row.samples) / u128::from(before)) as u64;
        }
    }
}

/// Half of a count; of an odd one the lower or the upper half, as chance has it. Always the upper
/// one would in the end count rare things as often as common ones.
fn half(count: u32, chance: u64) -> u32 {
    count / 2 + (count & chance as u32 & 1)
}

fn home_of(key: u64) -> usize {
    mix(0, key) as usize % LIVE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::class::size_of;
    use proptest::prelude::*;
    use std::boxed::Box;
    use std::collections::BTreeMap;

    fn tables() -> Box<Tables> {
        // SAFETY: all zeroes are empty tables.
        unsafe { Box::new_zeroed().assume_init() }
    }

    /// A block of just the size of its class.
    fn birth(key: u64, class: usize, site: u64) -> Birth {
        let mut path = [Place::NONE; DEPTH];
        path[0] = Place(site);
        Birth {
            key,
            size: size_of(class),
            path,
            thread: 1,
        }
    }

    #[test]
    fn distances_have_the_mean_that_was_asked_for() {
        let mut tables = tables();
        let mut observer = Observer::new(&mut tables, 65536, 7);
        let sum: u64 = (0..100_000).map(|_| observer.draw()).sum();
        let mean = sum / 100_000;
        assert!((64_000..67_000).contains(&mean), "{mean}");
    }

    #[test]
    fn a_full_table_goes_on_with_half_of_its_samples() {
        let mut tables = tables();
        let mut observer = Observer::new(&mut tables, 1, 7);
        for key in 1..=LIVE as u64 {
            assert!(observer.born(&birth(key, 0, 1 + key % 3)));
        }
        assert_eq!(observer.mean(), 2);
        let live = observer.live as u64;
        let counted: u64 = observer.rows().iter().map(|row| row.samples).sum();
        assert_eq!(counted, live);
        assert!(
            (LIVE as u64 / 2..LIVE as u64 * 3 / 4).contains(&live),
            "{live}"
        );
        for key in 1..=LIVE as u64 {
            observer.died(key, 1);
        }
        assert_eq!(observer.live, 0);
    }

    #[test]
    fn blocks_that_stay_are_forgotten_again_and_again() {
        let mut tables = tables();
        let mut observer = Observer::new(&mut tables, 100, 7);
        const BLOCKS: u64 = 32 * LIVE as u64;
        let mut left = observer.draw() as i64;
        for key in 1..=BLOCKS {
            left -= 100;
            if left <= 0 {
                assert!(observer.born(&birth(key, 0, 1)));
                left = observer.draw() as i64;
            }
        }
        // About as many as there were, by what is left of them.
        let stands_for = observer.live as u64 * weight(100, observer.mean());
        let off = stands_for as f64 / (100 * BLOCKS) as f64 - 1.0;
        assert!(off.abs() < 0.1, "{off}");
        let row = observer.rows()[0];
        assert_eq!(row.samples, u64::from(row.alive.iter().sum::<u32>()));
        assert!(row.bytes.abs_diff(row.samples * size_of(0) as u64) <= row.samples);
        observer.clear();
        assert_eq!(observer.mean(), 100);
    }

    #[test]
    fn what_is_rare_stays_rare_when_samples_are_forgotten() {
        let mut tables = tables();
        let mut observer = Observer::new(&mut tables, 1, 7);
        for site in 1..=1024 {
            observer.born(&birth(site, 0, site));
            observer.died(site, 1);
        }
        (0..5).for_each(|_| observer.forget_half());
        let left: u64 = observer.rows().iter().map(|row| row.samples).sum();
        assert!((16..64).contains(&left), "{left}");
    }

    #[test]
    fn no_count_overflows() {
        let mut tables = tables();
        let mut observer = Observer::new(&mut tables, 1, 7);
        observer.born(&birth(1, 0, 1));
        let row = &mut observer.tables.rows[0];
        row.died[0] = u32::MAX / 2;
        row.samples = SAMPLES_MAX;
        observer.born(&birth(2, 0, 1));
        assert_eq!(observer.mean(), 2);
        let row = &observer.rows()[0];
        let alive: u32 = row.alive.iter().sum();
        assert_eq!(row.samples, u64::from(row.died[0]) + u64::from(alive));
    }

    #[test]
    fn more_signatures_than_rows_share_those_of_their_sites() {
        let mut tables = tables();
        let mut observer = Observer::new(&mut tables, 1 << 16, 7);
        for key in 1..=3 * ROWS as u64 {
            let mut birth = birth(key, 0, key % 7 + 1);
            birth.path[1] = Place(key);
            assert!(observer.born(&birth));
            observer.died(key, 2);
        }
        assert_eq!(observer.rows().len(), DEEP_ROWS + 7);
        let noted = (1..=ROWS as u64).filter(|&key| observer.born(&birth(key, 1, key)));
        assert_eq!(noted.count(), ROWS - DEEP_ROWS - 7);
        assert_eq!(observer.rows().len(), ROWS);
    }

    proptest! {
        #[test]
        fn every_sample_is_counted_once(ops in prop::collection::vec((1..60u64, 0..3usize, 0..4u64, any::<bool>()), 1..400)) {
            let mut tables = tables();
            let mut observer = Observer::new(&mut tables, 4096, 7);
            let mut shadow: BTreeMap<u64, (usize, u64)> = BTreeMap::new();
            let mut samples: BTreeMap<(usize, u64), u64> = BTreeMap::new();
            for (key, class, site, dies) in ops {
                // Keys that share places in the table.
                let key = key * LIVE as u64 + 1;
                if dies {
                    observer.died(key, 2);
                    shadow.remove(&key);
                } else {
                    if let Some(old) = shadow.insert(key, (class, site)) {
                        *samples.get_mut(&old).expect("born before") -= 1;
                    }
                    observer.born(&birth(key, class, site));
                    *samples.entry((class, site)).or_default() += 1;
                }
            }
            for row in observer.rows() {
                let signature = (row.class as usize, row.path[0].0);
                prop_assert_eq!(row.samples, samples[&signature]);
                let alive: u32 = row.alive.iter().sum();
                let died: u32 = row.died.iter().sum();
                prop_assert_eq!(row.samples, u64::from(alive + died));
                prop_assert_eq!(row.remote, died);
                prop_assert_eq!(row.bytes, size_of(signature.0) as u64 * row.samples);
                let in_use = shadow.values().filter(|&&s| s == signature).count();
                prop_assert_eq!(alive as usize, in_use);
                prop_assert!(row.peak >= alive);
            }
            prop_assert_eq!(observer.live, shadow.len());
        }
    }
}
