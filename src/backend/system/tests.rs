use super::*;
use crate::backend::alone;
use proptest::prelude::*;
use std::vec::Vec;

impl System {
    /// Checks the invariants.
    fn check(&self) {
        let mut mapped = 0;
        // SAFETY: members of the lists under their lock.
        unsafe {
            for page in self.used.iter() {
                assert_eq!(((*page).kind, (*page).list), (Kind::System, ListId::Mapped));
                assert_eq!(map::lookup((*page).start), page);
                assert!((*page).start.is_multiple_of(SLICE) && (*page).size <= (*page).mapped);
                mapped += (*page).mapped;
            }
            for page in self.kept.iter() {
                assert!(map::lookup((*page).start).is_null());
                assert!(self.used.iter().all(|used| used != page));
                mapped += (*page).mapped;
            }
            let mut spare = self.spare;
            while !spare.is_null() {
                assert!(
                    self.used
                        .iter()
                        .chain(self.kept.iter())
                        .all(|page| page != spare)
                );
                spare = (*spare).next;
            }
        }
        assert!(self.kept.len() <= KEPT_MAX);
        assert_eq!(mapped, self.mapped);
    }
}

#[derive(Clone, Debug)]
enum Op {
    Alloc { mib: usize, align: u32 },
    Free(usize),
    Resize(usize, usize),
}

fn ops() -> impl Strategy<Value = Vec<Op>> {
    let op = prop_oneof![
        3 => (1..80usize, 4..25u32).prop_map(|(mib, align)| Op::Alloc { mib, align }),
        3 => any::<usize>().prop_map(Op::Free),
        2 => (any::<usize>(), 1..80usize).prop_map(|(i, mib)| Op::Resize(i, mib)),
    ];
    prop::collection::vec(op, 1..40)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn blocks_keep_their_marks(ops in ops()) {
        let _alone = alone();
        // A header, and the mark at both ends of its block.
        let mut held: Vec<(*mut Page, u64)> = Vec::new();
        // SAFETY: the blocks are the test's.
        let ends = |page: *mut Page| unsafe {
            let (base, size) = ((*page).base, (*page).size);
            [base as *mut u64, (base + size - 8) as *mut u64]
        };
        for (mark, op) in (1u64..).zip(ops) {
            match op {
                Op::Alloc { mib, align } => {
                    let (page, zeroed) = alloc(mib << 20, 1 << align).expect("memory");
                    for word in ends(page) {
                        // SAFETY: ours.
                        unsafe {
                            prop_assert!(!zeroed || *word == 0);
                            *word = mark;
                        }
                    }
                    // SAFETY: ours.
                    prop_assert_eq!(unsafe { (*page).base } % (1 << align), 0);
                    held.push((page, mark));
                }
                Op::Free(i) if !held.is_empty() => {
                    let (page, mark) = held.swap_remove(i % held.len());
                    // SAFETY: ours until now.
                    unsafe {
                        prop_assert!(ends(page).iter().all(|&word| *word == mark));
                        free(page);
                    }
                }
                Op::Resize(i, mib) if !held.is_empty() => {
                    let i = i % held.len();
                    let (page, mark) = held[i];
                    // SAFETY: ours.
                    unsafe {
                        let to = resize(page, mib << 20).expect("memory");
                        prop_assert_eq!(*(to as *const u64), mark);
                        *ends(page)[1] = mark;
                    }
                }
                _ => {}
            }
            SYSTEM.lock().check();
        }
        for (page, _) in held {
            // SAFETY: ours until now.
            unsafe { free(page) };
        }
        SYSTEM.lock().check();
    }
}

#[test]
fn blocks_are_found_by_their_start_and_around() {
    let _alone = alone();
    let (page, zeroed) = alloc(20 << 20, 16).expect("memory");
    // SAFETY: ours.
    let start = unsafe { (*page).start };
    assert_eq!(map::lookup(start), page);
    assert_eq!(around(start + (7 << 20)), page);
    if zeroed {
        // SAFETY: ours.
        unsafe { assert_eq!(*((start + (1 << 20)) as *const u64), 0) };
    }
    // SAFETY: ours until now.
    unsafe { free(page) };
    assert!(map::lookup(start).is_null() && around(start).is_null());
}

#[test]
fn resize_moves_bytes_not_the_header() {
    let _alone = alone();
    let (page, _) = alloc(20 << 20, 16).expect("memory");
    // SAFETY: ours.
    unsafe {
        *((*page).start as *mut u64) = 42;
        for size in [40 << 20, 100 << 20, 18 << 20] {
            let to = resize(page, size).expect("memory");
            assert_eq!(*(to as *const u64), 42);
            assert_eq!(map::lookup(to), page);
            assert_eq!((*page).size, size);
        }
        free(page);
    }
}

#[test]
fn a_size_that_recurs_is_kept() {
    let _alone = alone();
    // The first is unmapped, which the second's faults show; from then on it stays.
    for _ in 0..3 {
        let (page, _) = alloc(44 << 20, 16).expect("memory");
        // SAFETY: ours.
        unsafe { free(page) };
    }
    let (page, zeroed) = alloc(44 << 20, 16).expect("memory");
    assert!(!zeroed);
    // SAFETY: ours.
    unsafe { free(page) };
}

#[test]
fn strict_alignment() {
    let _alone = alone();
    for shift in 16..=26 {
        let (page, _) = alloc(100, 1 << shift).expect("memory");
        // SAFETY: ours.
        unsafe {
            assert_eq!((*page).start % (1 << shift), 0);
            free(page);
        }
    }
}
