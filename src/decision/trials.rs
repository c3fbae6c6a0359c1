//! Programs that are observed as they run, and what is decided about them.

use super::decide::tests::{Model, SEEN, learn_from};
use super::evidence::{DEPTH, Place, Seen};
use super::observe::{Birth, Observer, Tables};
use crate::base::class::class_of;
use crate::base::mix::mix;
use std::boxed::Box;
use std::vec;
use std::vec::Vec;

/// A program that is observed as it runs.
struct Program<'a> {
    observer: Observer<'a>,
    until_sample: i64,
    key: u64,
    random: u64,
}

impl<'a> Program<'a> {
    fn new(tables: &'a mut Tables, seed: u64) -> Self {
        let mut observer = Observer::new(tables, SEEN.mean, seed);
        let until_sample = observer.draw() as i64;
        Program {
            observer,
            until_sample,
            key: 0,
            random: seed,
        }
    }

    fn random(&mut self) -> u64 {
        self.random = mix(self.random, 1);
        self.random >> 8
    }

    /// The key of a block, or 0 if it is no sample.
    fn alloc(&mut self, site: u64) -> u64 {
        let size = 16 + self.random() as usize % 300;
        self.until_sample -= size as i64;
        if self.until_sample > 0 {
            return 0;
        }
        self.until_sample += self.observer.draw() as i64;
        self.key += 1;
        let mut path = [Place::NONE; DEPTH];
        path[0] = Place(site);
        self.observer.born(&Birth {
            key: self.key,
            size,
            path,
            thread: 1,
        });
        self.key
    }

    fn free(&mut self, key: u64) {
        if key != 0 {
            self.observer.died(key, 1);
        }
    }

    fn learn(&mut self) -> Model {
        let seen = Seen {
            clock: self.observer.clock(),
            ..SEEN
        };
        learn_from(self.observer.rows(), seen, &|place| place.0)
    }
}

fn tables() -> Box<Tables> {
    // SAFETY: all zeroes are empty tables.
    unsafe { Box::new_zeroed().assume_init() }
}

/// Of each burst 1 in 33 lives on, and some of those before die.
fn bursts(program: &mut Program) {
    let mut long = vec![];
    for _ in 0..20 {
        let mut burst = vec![];
        for _ in 0..200_000 {
            match program.random() % 33 {
                0 => long.push(program.alloc(2)),
                _ => burst.push(program.alloc(1)),
            }
        }
        burst.iter().for_each(|&key| program.free(key));
        for at in (0..long.len()).rev() {
            if program.random().is_multiple_of(4) {
                program.free(long.swap_remove(at));
            }
        }
    }
}

/// As `bursts`, but that nothing tells what lives on.
fn blind_bursts(program: &mut Program) {
    for _ in 0..20 {
        let burst: Vec<u64> = (0..200_000).map(|_| program.alloc(1)).collect();
        for key in burst {
            if !program.random().is_multiple_of(33) {
                program.free(key);
            }
        }
    }
}

#[test]
fn a_program_of_one_site_has_no_lanes() {
    let mut tables = tables();
    let mut program = Program::new(&mut tables, 1);
    blind_bursts(&mut program);
    assert_eq!(program.learn().outcome.nodes, 0);
}

#[test]
fn a_program_with_bursts_gets_lanes() {
    for seed in 1..4 {
        let mut tables = tables();
        let mut program = Program::new(&mut tables, seed);
        bursts(&mut program);
        let model = program.learn();
        let class = class_of(200);
        assert!(model.lane(&[2], class) > model.lane(&[1], class));
        // There are 33 MB at the end of a burst.
        let saved = model.outcome.saved;
        std::println!("bursts: {saved:.0} bytes");
        assert!((16e6..40e6).contains(&saved));
    }
}
