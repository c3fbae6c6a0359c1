use super::*;
use crate::backend::alone;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::mpsc::channel;
use std::vec::Vec;

/// A block in a test's hands: its usable bytes, each of which is `mark`.
struct Held {
    size: usize,
    mark: u8,
}

fn bytes<'a>(at: usize, size: usize) -> &'a mut [u8] {
    // SAFETY: a block in the test's hands.
    unsafe { core::slice::from_raw_parts_mut(at as *mut u8, size) }
}

/// A block, filled with `mark`.
fn take(arena: &mut Arena, size: usize, mark: u8) -> usize {
    // SAFETY: the arena is the test's.
    unsafe {
        let found = arena.bump(size).or_else(|| {
            assert!(arena.refill());
            arena.bump(size)
        });
        let (at, zeroed) = found.expect("room in a fresh chunk");
        let usable = usable(size);
        assert!(at.is_multiple_of(QUANTUM) && usable >= size);
        assert_eq!(look(map::lookup(at), at), Place::Used { size: usable });
        assert!(!zeroed || bytes(at, usable).iter().all(|&b| b == 0));
        bytes(at, usable).fill(mark);
        at
    }
}

/// Frees a block as the front does. Says whether the chunk was given back to the buddy.
fn give(arena: &mut Arena, at: usize) -> bool {
    let page = map::lookup(at);
    // SAFETY: the block is the test's.
    unsafe {
        match free(page, at) {
            Freed::Fine => arena.settle(page),
            Freed::Last if arena.keep(page, KEPT_MAX) => {}
            Freed::Last => {
                release(page);
                return true;
            }
            Freed::Nothing => panic!("{at:#x} is no block"),
        }
    }
    false
}

#[derive(Clone, Debug)]
enum Op {
    Take(usize),
    Free(u16),
    Resize(u16, usize),
    /// The last block taken.
    ResizeLast(usize),
    FreeAll,
    Release,
    Leave,
    Recount,
}

fn op() -> impl Strategy<Value = Op> {
    let size = || prop_oneof![4 => 0..=200usize, 2 => 0..=2000usize, 1 => 0..=ARENA_MAX];
    prop_oneof![
        30 => size().prop_map(Op::Take),
        18 => any::<u16>().prop_map(Op::Free),
        3 => (any::<u16>(), 1..=20_000usize).prop_map(|(pick, size)| Op::Resize(pick, size)),
        5 => (1..=20_000usize).prop_map(Op::ResizeLast),
        1 => Just(Op::FreeAll),
        1 => Just(Op::Release),
        1 => Just(Op::Leave),
        1 => Just(Op::Recount),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn blocks_keep_their_bytes(ops in prop::collection::vec(op(), 1..600)) {
        let _alone = alone();
        let mut arena = Arena::NEW;
        let mut blocks: BTreeMap<usize, Held> = BTreeMap::new();
        let mut last = 0;
        for (index, op) in ops.into_iter().enumerate() {
            let mark = index as u8 | 1;
            let pick = |pick: u16| blocks.keys().nth(usize::from(pick) % blocks.len().max(1)).copied();
            match op {
                Op::Take(size) => {
                    last = take(&mut arena, size, mark);
                    let held = Held { size: usable(size), mark };
                    prop_assert!(blocks.insert(last, held).is_none());
                }
                Op::Free(number) => {
                    if let Some(at) = pick(number) {
                        blocks.remove(&at);
                        let page = map::lookup(at);
                        if !give(&mut arena, at) {
                            // SAFETY: the chunk is there.
                            let again = unsafe { free(page, at) };
                            prop_assert_eq!(again, Freed::Nothing);
                        }
                    }
                }
                Op::Resize(..) | Op::ResizeLast(_) => {
                    let (at, size) = match op {
                        Op::Resize(number, size) => (pick(number), size),
                        Op::ResizeLast(size) => (Some(last), size),
                        _ => unreachable!(),
                    };
                    if let Some((at, held)) = at.and_then(|at| Some((at, blocks.get_mut(&at)?))) {
                        // SAFETY: the block is the test's.
                        if unsafe { arena.resize(map::lookup(at), at, size) } {
                            let usable = usable(size);
                            let stays = &bytes(at, usable.min(held.size));
                            prop_assert!(stays.iter().all(|&b| b == held.mark));
                            bytes(at, usable).fill(held.mark);
                            held.size = usable;
                        }
                    }
                }
                Op::FreeAll => {
                    for &at in blocks.keys() {
                        give(&mut arena, at);
                    }
                    blocks.clear();
                }
                // SAFETY: the arena is the test's.
                Op::Release => unsafe { arena.release_empty() },
                // SAFETY: as above.
                Op::Leave => unsafe { arena.leave() },
                Op::Recount => arena.recount(),
            }
            // SAFETY: as above.
            unsafe { arena.check() };
        }
        let mut end = 0;
        for (&at, held) in &blocks {
            prop_assert!(at >= end, "blocks overlap");
            end = at + held.size;
            prop_assert!(bytes(at, held.size).iter().all(|&b| b == held.mark));
            // SAFETY: blocks of the test's.
            unsafe {
                let page = map::lookup(at);
                prop_assert_eq!(look(page, at), Place::Used { size: held.size });
                for inside in [at + 1, at + 8, at + held.size - 1] {
                    prop_assert_eq!(free(page, inside), Freed::Nothing);
                    prop_assert_eq!(look(page, inside), Place::Inside { start: at, size: held.size });
                }
            }
        }
        blocks.keys().for_each(|&at| { give(&mut arena, at); });
        // SAFETY: as above.
        unsafe { arena.leave() };
        prop_assert!(arena.current.is_null() && arena.count == 0);
    }
}

#[test]
fn an_empty_chunk_is_used_again_at_once() {
    let _alone = alone();
    let mut arena = Arena::NEW;
    let first = take(&mut arena, 100, 1);
    for mark in 0..10_000usize {
        give(&mut arena, first);
        assert_eq!(take(&mut arena, mark % ARENA_MAX, mark as u8), first);
    }
    give(&mut arena, first);
    // A few chunks stay when all blocks are freed, and the one that was emptied last comes first.
    let take_many = |arena: &mut Arena| -> Vec<usize> {
        (0..KEPT as u8 * 10)
            .map(|mark| take(arena, ARENA_MAX, mark))
            .collect()
    };
    let blocks = take_many(&mut arena);
    let mut order: Vec<usize> = blocks.iter().map(|at| at / SLICE).collect();
    order.dedup();
    assert_eq!(order.len(), KEPT + 1);
    for at in blocks {
        give(&mut arena, at);
    }
    // The current one, the last in `order`, begins anew; then come the others, from behind.
    let blocks = take_many(&mut arena);
    let mut again: Vec<usize> = blocks.iter().map(|at| at / SLICE).collect();
    again.dedup();
    order.reverse();
    assert_eq!(again, order);
    for at in blocks {
        give(&mut arena, at);
    }
    // SAFETY: the arena is the test's.
    unsafe { arena.leave() };
}

#[test]
fn threads_free_what_others_bump() {
    let _alone = alone();
    let (senders, receivers): (Vec<_>, Vec<_>) = (0..3).map(|_| channel()).unzip();
    std::thread::scope(|scope| {
        for (number, mail) in receivers.into_iter().enumerate() {
            let out = senders.clone();
            scope.spawn(move || {
                let mut arena = Arena::NEW;
                let check = |(at, size, mark): (usize, usize, u8)| {
                    assert!(bytes(at, size).iter().all(|&b| b == mark));
                    // SAFETY: the block is this thread's.
                    let place = unsafe { look(map::lookup(at), at) };
                    assert_eq!(place, Place::Used { size });
                    at
                };
                for round in 0..30_000usize {
                    let size = round * 37 % 900;
                    let at = take(&mut arena, size, round as u8);
                    let _ = out[(round * 7 + number) % 3].send((at, usable(size), round as u8));
                    for held in mail.try_iter().take(round % 4) {
                        give(&mut arena, check(held));
                    }
                    if round % 5000 == 0 {
                        // SAFETY: the arena is this thread's.
                        unsafe { arena.leave() };
                    }
                }
                drop(out);
                for held in mail.iter() {
                    give(&mut arena, check(held));
                }
                // SAFETY: as above.
                unsafe { arena.leave() };
            });
        }
        drop(senders);
    });
    // All chunks went back: none of their headers is left.
    // SAFETY: the map leads to valid headers.
    assert!(!map::pages().any(|page| unsafe { (*page).kind } == Kind::Arena));
}
