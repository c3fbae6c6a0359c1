//! Evidence of several runs and machines, added up.

use super::evidence::{DEPTH, Place, Row, Seen};
use super::model::Model;
use super::observe::ROWS;
use crate::sys::module::Identity;

/// Modules that one model speaks of.
pub const MODULES: usize = 512;

/// Memory to add up in. All zeroes is nothing.
#[repr(C)]
pub struct Room {
    modules: [Identity; MODULES],
    rows: [Row; 2 * ROWS],
}

/// Adds up.
pub struct Merger<'a> {
    room: &'a mut Room,
    modules: usize,
    rows: usize,
    /// `mean` is the longest distance of all that is added.
    seen: Seen,
}

fn add(to: &mut u32, count: u32) {
    *to = to.saturating_add(count);
}

impl<'a> Merger<'a> {
    /// Nothing yet. No evidence that is added has more than `mean` bytes between its samples.
    pub fn new(room: &'a mut Room, mean: u64) -> Self {
        Merger {
            room,
            modules: 0,
            rows: 0,
            seen: Seen {
                mean,
                clock: 0,
                runs: 0,
            },
        }
    }

    /// What is added comes from so many runs more, which allocated so many bytes.
    pub fn ran(&mut self, runs: u32, clock: u64) {
        self.seen.runs = self.seen.runs.saturating_add(runs);
        self.seen.clock = self.seen.clock.saturating_add(clock);
    }

    /// Adds all that a model has. `None` if there are too many modules: then rows are left out.
    pub fn add_model(&mut self, model: &Model<'_>) -> Option<()> {
        let summary = &model.summary;
        self.ran(summary.runs, summary.clock);
        let mut all = Some(());
        for module in model.modules() {
            all = all.and(self.module(&module).map(|_| ()));
        }
        for row in model.rows() {
            self.add(&row, summary.mean, |number| model.module(number));
        }
        all
    }

    /// Its number; the module is in the list from now on, though no row may speak of it.
    pub fn module(&mut self, identity: &Identity) -> Option<usize> {
        let known = &self.room.modules[..self.modules];
        if let Some(number) = known.iter().position(|known| known == identity) {
            return Some(number);
        }
        *self.room.modules.get_mut(self.modules)? = *identity;
        self.modules += 1;
        Some(self.modules - 1)
    }

    /// Adds a row with samples `mean` bytes apart, whose modules `identity_of` knows. Rows of modules that
    /// nobody knows are left out.
    pub fn add(&mut self, row: &Row, mean: u64, identity_of: impl Fn(usize) -> Option<Identity>) {
        let mut path = [Place::NONE; DEPTH];
        for (to, from) in path.iter_mut().zip(&row.path) {
            if from.is_none() {
                break;
            }
            let place = identity_of(from.module())
                .and_then(|identity| self.module(&identity))
                .and_then(|module| Place::new(module, from.offset()));
            match place {
                Some(place) => *to = place,
                None => return,
            }
        }
        if self.rows == self.room.rows.len() {
            self.settle();
        }
        self.room.rows[self.rows] = Row {
            path,
            ..self.scaled(row, mean)
        };
        self.rows += 1;
    }

    /// The row as it would be with samples as far apart as here.
    fn scaled(&self, row: &Row, mean: u64) -> Row {
        let mut row = *row;
        let (mean, target) = (u128::from(mean), u128::from(self.seen.mean));
        if mean < target {
            // What is cut off one count goes to the next: rare ones are not lost, and not more.
            let mut rest = target / 2;
            let mut scale = |count: u32| {
                rest += u128::from(count) * mean;
                let scaled = rest / target;
                rest %= target;
                scaled as u32
            };
            let counts = row.died.iter_mut().chain(&mut row.alive);
            counts.for_each(|count| *count = scale(*count));
            let least = u32::from(row.peak > 0);
            for count in [&mut row.remote, &mut row.grown, &mut row.peak] {
                *count = (u128::from(*count) * mean / target) as u32;
            }
            row.peak = row.peak.max(least);
            row.bytes = (u128::from(row.bytes) * mean / target) as u64;
        }
        let counts = row.died.iter().chain(&row.alive);
        row.samples = counts.map(|&count| u64::from(count)).sum();
        row
    }

    /// Adds rows of the same signature up, and leaves out those with the fewest samples if there are
    /// too many.
    fn settle(&mut self) {
        let rows = &mut self.room.rows[..self.rows];
        rows.sort_unstable_by_key(|row| (row.path, row.class));
        let mut last = 0;
        for index in 1..rows.len() {
            let row = rows[index];
            let to = &mut rows[last];
            if (to.path, to.class) == (row.path, row.class) {
                for (to, from) in to.died.iter_mut().zip(row.died) {
                    add(to, from);
                }
                for (to, from) in to.alive.iter_mut().zip(row.alive) {
                    add(to, from);
                }
                add(&mut to.remote, row.remote);
                add(&mut to.grown, row.grown);
                to.peak = to.peak.max(row.peak);
                to.bytes = to.bytes.saturating_add(row.bytes);
                to.samples += row.samples;
            } else {
                last += 1;
                rows[last] = row;
            }
        }
        self.rows = self.rows.min(last + 1);
        if self.rows > ROWS {
            let rows = &mut self.room.rows[..self.rows];
            rows.sort_unstable_by_key(|row| (u64::MAX - row.samples, row.path, row.class));
            self.rows = ROWS;
        }
    }

    /// What it all comes from, the modules, and the rows, each signature once, at most `ROWS`. The
    /// same evidence gives the same, in whatever order it was added.
    pub fn finish(mut self) -> (Seen, &'a [Identity], &'a mut [Row]) {
        self.settle();
        let room = self.room;
        let (modules, rows) = (
            &mut room.modules[..self.modules],
            &mut room.rows[..self.rows],
        );
        // The modules by name, and what speaks of them with them.
        for place in 0..modules.len() {
            let least = (place..modules.len())
                .min_by_key(|&at| (modules[at].bytes, modules[at].len))
                .unwrap_or(place);
            if least != place {
                modules.swap(least, place);
                let moved = |old: usize| match old {
                    old if old == least => place,
                    old if old == place => least,
                    old => old,
                };
                let places = rows.iter_mut().flat_map(|row| &mut row.path);
                for at in places.filter(|at| !at.is_none()) {
                    *at = Place::new(moved(at.module()), at.offset()).unwrap_or(*at);
                }
            }
        }
        rows.sort_unstable_by_key(|row| (row.path, row.class));
        (self.seen, modules, rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sys::module::IDENTITY_MAX;
    use std::boxed::Box;

    fn room() -> Box<Room> {
        // SAFETY: all zeroes is nothing.
        unsafe { Box::new_zeroed().assume_init() }
    }

    fn identity(name: usize) -> Option<Identity> {
        Some(Identity {
            bytes: [name as u8 + 1; IDENTITY_MAX],
            len: 20,
            build_id: true,
        })
    }

    fn row(module: usize, offset: u64, samples: u32) -> Row {
        let mut row = Row::EMPTY;
        row.path[0] = Place::new(module, offset).expect("fits");
        row.died[5] = samples;
        row.samples = samples.into();
        row.bytes = u64::from(samples) * 100;
        row.peak = samples;
        row
    }

    #[test]
    fn the_same_signature_is_added_up_whatever_its_module_is_called() {
        let mut room = room();
        let mut merger = Merger::new(&mut room, 1000);
        merger.add(&row(1, 7, 10), 1000, identity);
        merger.add(&row(0, 7, 5), 1000, |_| identity(1));
        merger.add(&row(0, 7, 1), 1000, identity);
        let (_, modules, rows) = merger.finish();
        assert_eq!(modules, [identity(0).unwrap(), identity(1).unwrap()]);
        assert_eq!(rows.len(), 2);
        assert_eq!((rows[0].samples, rows[1].samples), (1, 15));
        assert_eq!(
            (rows[1].bytes, rows[1].peak, rows[1].died[5]),
            (1500, 10, 15)
        );
    }

    #[test]
    fn nothing_is_nothing() {
        let mut room = room();
        let (_, modules, rows) = Merger::new(&mut room, 1000).finish();
        assert!(modules.is_empty() && rows.is_empty());
    }

    #[test]
    fn the_order_does_not_matter() {
        let rows = [
            row(3, 1, 5),
            row(0, 9, 2),
            row(2, 1, 7),
            row(3, 1, 1),
            row(1, 4, 4),
        ];
        let merged = |order: &mut dyn Iterator<Item = &Row>| {
            let mut room = room();
            let mut merger = Merger::new(&mut room, 1000);
            order.for_each(|row| merger.add(row, 1000, identity));
            let (_, modules, rows) = merger.finish();
            (modules.to_vec(), rows.to_vec())
        };
        assert_eq!(merged(&mut rows.iter()), merged(&mut rows.iter().rev()));
    }

    #[test]
    fn samples_that_are_closer_count_for_less() {
        let mut room = room();
        let mut merger = Merger::new(&mut room, 4000);
        merger.add(&row(0, 7, 100), 1000, identity);
        merger.add(&row(0, 7, 100), 4000, identity);
        assert_eq!(merger.finish().2[0].samples, 125);
    }

    #[test]
    fn rare_samples_that_are_closer_are_neither_lost_nor_more() {
        let mut room = room();
        let mut merger = Merger::new(&mut room, 4000);
        for offset in 0..400 {
            let mut row = row(0, offset, 0);
            row.died[offset as usize % 10] = 1;
            row.alive[7] = 1;
            row.alive[9] = 2;
            merger.add(&row, 1000, identity);
        }
        let (_, _, rows) = merger.finish();
        let samples: u64 = rows.iter().map(|row| row.samples).sum();
        assert_eq!(samples, 400);
    }

    #[test]
    fn of_too_many_rows_those_with_most_samples_stay() {
        let mut room = room();
        let mut merger = Merger::new(&mut room, 1000);
        for offset in 0..3 * ROWS as u64 {
            merger.add(&row(0, offset, 1 + (offset % 3) as u32), 1000, identity);
        }
        let (_, _, rows) = merger.finish();
        assert_eq!(rows.len(), ROWS);
        assert!(rows.iter().all(|row| row.samples == 3));
    }
}
