use super::*;
use proptest::prelude::*;
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
enum Op {
    Bump(usize),
    Free(u16),
    Resize(u16, usize),
    /// Frees what is no block in use.
    Misuse(usize),
    Recount,
}

fn op() -> impl Strategy<Value = Op> {
    let size = || prop_oneof![8 => 1..=8usize, 2 => 1..=100usize, 1 => 1..=600usize];
    prop_oneof![
        10 => size().prop_map(Op::Bump),
        8 => any::<u16>().prop_map(Op::Free),
        3 => (any::<u16>(), size()).prop_map(|(pick, size)| Op::Resize(pick, size)),
        2 => (0..GRAINS).prop_map(Op::Misuse),
        1 => Just(Op::Recount),
    ]
}

/// A block that has been bumped since the chunk was begun.
struct Block {
    size: usize,
    used: bool,
}

/// What `look` must say of each grain.
fn expected(blocks: &BTreeMap<usize, Block>, at: usize, exactly: bool) -> Place {
    match blocks.range(..=at).next_back() {
        Some((&start, block)) if at < start + block.size => match (start == at && exactly, block) {
            (false, &Block { size, .. }) => Place::Inside { start, size },
            (true, &Block { size, used: true }) => Place::Used { size },
            (true, &Block { size, used: false }) => Place::Freed { size },
        },
        _ => Place::Nothing,
    }
}

proptest! {
    #[test]
    fn agrees_with_a_shadow(zeroed in any::<bool>(), ops in prop::collection::vec(op(), 1..300)) {
        let chunk = Chunk::new();
        chunk.open(zeroed);
        let mut blocks: BTreeMap<usize, Block> = BTreeMap::new();
        let mut written = [!zeroed; GRAINS];
        for op in ops {
            let top = blocks.last_key_value().map_or(0, |(at, block)| at + block.size);
            let used: std::vec::Vec<usize> =
                blocks.iter().filter(|(_, b)| b.used).map(|(&at, _)| at).collect();
            match op {
                Op::Bump(size) => match chunk.bump(size) {
                    Some((at, zeroed)) => {
                        prop_assert_eq!(at, top);
                        // It may know less than the shadow, not more.
                        prop_assert!(!zeroed || written[at..at + size].iter().all(|w| !w));
                        written[at..at + size].fill(true);
                        blocks.insert(at, Block { size, used: true });
                    }
                    None => {
                        prop_assert!(top + size > GRAINS);
                        if chunk.is_empty() {
                            chunk.begin();
                            blocks.clear();
                        }
                    }
                },
                Op::Free(pick) if !used.is_empty() => {
                    let at = used[usize::from(pick) % used.len()];
                    prop_assert_eq!(chunk.free(at), Freed::Fine);
                    blocks.get_mut(&at).unwrap().used = false;
                }
                Op::Resize(pick, size) if !used.is_empty() => {
                    let at = used[usize::from(pick) % used.len()];
                    let last = blocks.last_key_value().is_some_and(|(&last, _)| last == at);
                    prop_assert_eq!(chunk.resize(at, size), last && at + size <= GRAINS);
                    if last && at + size <= GRAINS {
                        written[at..at + size].fill(true);
                        blocks.get_mut(&at).unwrap().size = size;
                    }
                }
                Op::Misuse(at) if !used.contains(&at) => {
                    prop_assert_eq!(chunk.free(at), Freed::Nothing);
                }
                Op::Recount => chunk.recount(),
                _ => {}
            }
            chunk.check();
            let sum: usize = blocks.values().filter(|b| b.used).map(|b| b.size).sum();
            let count = blocks.values().filter(|b| b.used).count();
            prop_assert_eq!(chunk.used(), (count, sum));
            prop_assert_eq!(chunk.freed(), blocks.len() - count);
            prop_assert_eq!(chunk.is_empty(), count == 0);
        }
        for at in 0..GRAINS {
            for exactly in [true, false] {
                prop_assert_eq!(chunk.look(at, exactly), expected(&blocks, at, exactly));
            }
        }
        let mut left = blocks.iter().filter(|(_, b)| b.used).count();
        prop_assert_eq!(chunk.let_go(), left == 0);
        for (&at, _) in blocks.iter().filter(|(_, b)| b.used) {
            left -= 1;
            prop_assert_eq!(chunk.free(at), if left == 0 { Freed::Last } else { Freed::Fine });
        }
    }
}

/// What was between two steps when the others' threads were left behind.
#[test]
fn a_recount_puts_right_what_was_cut() {
    let chunk = Chunk::new();
    chunk.open(true);
    for _ in 0..3 {
        chunk.bump(2);
    }
    // A bump that has not come to its end, and a free that has not been counted.
    let starts = chunk.starts[0].load(Ordering::Relaxed);
    chunk.starts[0].store(starts | 1 << 6, Ordering::Relaxed);
    chunk.freed[0].fetch_or(1 << 2, Ordering::Relaxed);
    chunk.recount();
    chunk.check();
    assert_eq!(chunk.used(), (2, 4));
    assert!(!chunk.let_go());
    assert_eq!(chunk.free(2), Freed::Nothing);
    assert_eq!(chunk.free(0), Freed::Fine);
    assert_eq!(chunk.free(4), Freed::Last);
}
