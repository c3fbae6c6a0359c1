//! Any sequence of operations by one thread.

use super::oracle::{Held, Shadow, check_heap, nothing_is_left};
use super::process::{alone, forked};
use crate::base::class::{CLASSES, size_of};
use crate::front::mode::{self, Mode};
use crate::front::purge;
use crate::front::{route, sampler};
use crate::sys::auxv::pretend_os_page;
use proptest::prelude::*;
use proptest::test_runner::{TestError, TestRunner};
use std::vec::Vec;

const KIB: usize = 1 << 10;
const MIB: usize = 1 << 20;
/// No sequence holds more bytes.
const BYTES_MAX: usize = 400 * MIB;
/// Operations between two looks at the whole heap.
const CHECK_EVERY: usize = 16;

/// Smaller sequences that are tried once one has gone wrong.
const SHRINKS: u32 = 5000;

/// Which block: taken modulo their number.
type Pick = u16;

#[derive(Clone, Debug)]
enum Op {
    Alloc(usize),
    Zeroed(usize),
    Aligned {
        size: usize,
        shift: u32,
    },
    Burst {
        size: usize,
        count: usize,
    },
    Realloc(Pick, usize),
    /// To so many eighths of its size.
    Scale(Pick, usize),
    Free(Pick),
    /// Every so many blocks.
    FreeEvery(usize),
    /// All blocks but every so many.
    Thin(usize),
    Purge,
}

fn size() -> impl Strategy<Value = usize> {
    prop_oneof![
        40 => 0..=128usize,
        20 => 0..=1024usize,
        15 => 1025..=32 * KIB,
        15 => (0..CLASSES, 0..3usize).prop_map(|(class, off)| size_of(class) + off - 1),
        8 => 32 * KIB..=256 * KIB,
        6 => 256 * KIB..=2 * MIB,
        3 => 2 * MIB..=16 * MIB,
        1 => 16 * MIB..=40 * MIB,
    ]
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        30 => size().prop_map(Op::Alloc),
        8 => size().prop_map(Op::Zeroed),
        8 => (size(), 0..=22u32).prop_map(|(size, shift)| Op::Aligned { size, shift }),
        4 => (1..=16 * KIB, 1..=300usize).prop_map(|(size, count)| Op::Burst { size, count }),
        8 => (any::<Pick>(), size()).prop_map(|(pick, size)| Op::Realloc(pick, size.max(1))),
        8 => (any::<Pick>(), 1..=24usize).prop_map(|(pick, eighths)| Op::Scale(pick, eighths)),
        30 => any::<Pick>().prop_map(Op::Free),
        2 => (1..=5usize).prop_map(Op::FreeEvery),
        2 => (2..=40usize).prop_map(Op::Thin),
        2 => Just(Op::Purge),
    ]
}

fn step(shadow: &mut Shadow, op: &Op, mark: u64) {
    let fits = |bytes: usize| shadow.bytes + bytes <= BYTES_MAX;
    let new = match *op {
        Op::Alloc(size) if fits(size) => Held::alloc(size, mark),
        Op::Zeroed(size) if fits(size) => Held::alloc_zeroed(size, mark),
        Op::Aligned { size, shift } if fits(size) => Held::alloc_aligned(size, 1 << shift, mark),
        Op::Realloc(pick, size) if fits(size) => shadow
            .take(pick.into())
            .map(|held| held.realloc(size, mark)),
        Op::Scale(pick, eighths) if fits(BYTES_MAX / 4) => shadow.take(pick.into()).map(|held| {
            let size = (held.size * eighths / 8).clamp(1, BYTES_MAX / 4);
            held.realloc(size, mark)
        }),
        Op::Burst { size, count } => {
            for _ in 0..count {
                shadow.add(Held::alloc(size, mark).expect("memory"));
            }
            None
        }
        Op::Free(pick) => {
            if let Some(held) = shadow.take(pick.into()) {
                held.free();
            }
            None
        }
        Op::FreeEvery(step) => {
            for index in (0..shadow.len()).step_by(step).rev() {
                if let Some(held) = shadow.take(index) {
                    held.free();
                }
            }
            None
        }
        Op::Thin(step) => {
            for index in (0..shadow.len()).rev().filter(|index| index % step != 0) {
                if let Some(held) = shadow.take(index) {
                    held.free();
                }
            }
            None
        }
        Op::Purge => {
            purge();
            None
        }
        _ => None,
    };
    if let Some(held) = new {
        shadow.add(held);
    }
}

fn run(ops: &[Op]) {
    let mut shadow = Shadow::default();
    for (index, op) in ops.iter().enumerate() {
        step(&mut shadow, op, index as u64);
        if index % CHECK_EVERY == 0 {
            shadow.check();
            shadow.check_census();
            check_heap();
        }
    }
    while let Some(held) = shadow.take(0) {
        held.free();
    }
    nothing_is_left();
}

/// Finds a sequence that goes wrong, and makes it small.
fn search() {
    let default = ProptestConfig::default();
    let config = ProptestConfig {
        cases: default.cases / 4,
        failure_persistence: None,
        max_shrink_iters: SHRINKS,
        ..default
    };
    let sequences = prop::collection::vec(op(), 1..200);
    let found = TestRunner::new(config).run(&sequences, |ops: Vec<Op>| {
        forked(|| run(&ops)).map_err(TestCaseError::fail)
    });
    match found {
        Ok(()) => {}
        Err(TestError::Fail(why, ops)) => panic!("{why}\nafter the operations {ops:#?}"),
        Err(TestError::Abort(why)) => panic!("{why}"),
    }
}

#[test]
fn any_sequence() {
    alone(concat!(module_path!(), "::any_sequence"), "", search);
}

#[test]
fn any_sequence_in_slab() {
    let name = concat!(module_path!(), "::any_sequence_in_slab");
    alone(name, "force:slab", search);
}

#[test]
fn any_sequence_in_buddy() {
    let name = concat!(module_path!(), "::any_sequence_in_buddy");
    alone(name, "force:buddy", search);
}

#[test]
fn any_sequence_in_training() {
    let name = concat!(module_path!(), "::any_sequence_in_training");
    alone(name, "sample:300", || {
        assert!(sampler::start());
        mode::set(Mode::Training);
        search();
    });
}

#[test]
fn any_sequence_in_lanes() {
    let name = concat!(module_path!(), "::any_sequence_in_lanes");
    alone(name, "", || {
        route::tests::pretend();
        mode::set(Mode::Inference);
        search();
    });
}

#[test]
fn any_sequence_in_system() {
    let name = concat!(module_path!(), "::any_sequence_in_system");
    alone(name, "force:system", search);
}

#[test]
fn any_sequence_in_arena() {
    let name = concat!(module_path!(), "::any_sequence_in_arena");
    alone(name, "force:arena", search);
}

#[test]
fn any_sequence_on_16_kib_os_pages() {
    let name = concat!(module_path!(), "::any_sequence_on_16_kib_os_pages");
    alone(name, "", || {
        pretend_os_page(16 * KIB);
        search();
    });
}

#[test]
fn any_sequence_on_64_kib_os_pages() {
    let name = concat!(module_path!(), "::any_sequence_on_64_kib_os_pages");
    alone(name, "", || {
        pretend_os_page(64 * KIB);
        search();
    });
}
