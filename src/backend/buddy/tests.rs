use super::*;
use crate::backend::alone;
use proptest::prelude::*;
use std::vec::Vec;

impl Buddy {
    /// Checks every invariant of the buddy and its segments.
    fn check(&self) {
        let mut empty = 0;
        let mut segment = self.segments;
        while !segment.is_null() {
            // SAFETY: a segment of the list under the lock.
            let s = unsafe { &*segment };
            empty += usize::from(s.is_empty());
            let (mut free, mut at) = (0, RESERVED);
            while at < s.slices {
                // SAFETY: a header of the segment.
                let page = unsafe { &*s.header(at) };
                let order = (0..ORDERS as u32).find(|&order| s.has_free_block(at, order));
                let len = order.map_or((page.slices as usize).max(1), |o| 1 << o);
                if let Some(order) = order {
                    free += len;
                    assert_eq!(at % len, 0, "aligned");
                    assert!(!s.has_free_block(at ^ len, order), "no free buddies");
                } else {
                    assert_eq!(
                        s.dirty.count(at, at + len) + s.purged.count(at, at + len),
                        0
                    );
                }
                at += len;
            }
            assert_eq!(at, s.slices, "blocks and spans cover the segment");
            assert_eq!(free, s.free);
            segment = s.next;
        }
        assert_eq!(empty, self.empty);
        for list in &self.lists {
            let mut clean = false;
            for page in list.iter() {
                // SAFETY: listed blocks.
                let (s, from, len) = unsafe {
                    let (segment, from) = place(page);
                    (&*segment, from, 1 << (*page).order)
                };
                let dirty = s.dirty.count(from, from + len) > 0;
                assert!(!(clean && dirty), "dirty blocks stand in front");
                clean |= !dirty;
            }
        }
    }
}

#[derive(Clone, Debug)]
enum Op {
    Alloc { slices: usize, align: u32 },
    Free(usize),
    Extend(usize, usize),
    Shrink(usize, usize),
}

fn ops() -> impl Strategy<Value = Vec<Op>> {
    let op = prop_oneof![
        3 => (1..=MAX_SLICES, 0..4u32).prop_map(|(slices, align)| Op::Alloc { slices, align }),
        3 => (1..8usize, 0..4u32).prop_map(|(slices, align)| Op::Alloc { slices, align }),
        4 => any::<usize>().prop_map(Op::Free),
        2 => (any::<usize>(), 1..40usize).prop_map(|(i, n)| Op::Extend(i, n)),
        2 => (any::<usize>(), 1..40usize).prop_map(|(i, n)| Op::Shrink(i, n)),
    ];
    prop::collection::vec(op, 1..80)
}

/// A span with the mark that fills the first word of each of its slices.
struct Held {
    page: *mut Page,
    mark: u64,
}

impl Held {
    fn words(&self) -> impl Iterator<Item = *mut u64> {
        // SAFETY: a span in our hands.
        let (start, slices) = unsafe { ((*self.page).start, (*self.page).slices as usize) };
        (0..slices).map(move |i| (start + i * SLICE) as *mut u64)
    }
    fn fill(&self) {
        // SAFETY: the span is ours.
        self.words().for_each(|word| unsafe { *word = self.mark });
    }
    fn holds(&self) -> bool {
        // SAFETY: the span is ours.
        self.words().all(|word| unsafe { *word } == self.mark)
    }
}

fn run(used: Use, ops: Vec<Op>) {
    let _alone = alone();
    let mut held: Vec<Held> = Vec::new();
    for (mark, op) in (1u64..).zip(ops) {
        match op {
            Op::Alloc { slices, align } => {
                let span = alloc(used, slices, 1 << align, 1).expect("memory");
                let new = Held {
                    page: span.page,
                    mark,
                };
                // SAFETY: just taken.
                let start = unsafe { (*span.page).start };
                assert_eq!(start % (SLICE << align), 0);
                if span.zeroed {
                    // SAFETY: the span is ours.
                    assert!(new.words().all(|word| unsafe { *word } == 0));
                }
                new.fill();
                held.push(new);
            }
            Op::Free(i) if !held.is_empty() => {
                let gone = held.swap_remove(i % held.len());
                assert!(gone.holds());
                // SAFETY: ours until now.
                unsafe { free(gone.page) };
            }
            Op::Extend(i, n) if !held.is_empty() => {
                let i = i % held.len();
                // SAFETY: ours.
                unsafe {
                    let slices = (*held[i].page).slices as usize;
                    if extend(held[i].page, slices + n) {
                        assert_eq!((*held[i].page).slices as usize, slices + n);
                    }
                }
                held[i].fill();
            }
            Op::Shrink(i, n) if !held.is_empty() => {
                let i = i % held.len();
                // SAFETY: ours.
                unsafe {
                    let slices = (*held[i].page).slices as usize;
                    if n < slices {
                        shrink(held[i].page, n);
                    }
                }
            }
            _ => {}
        }
        assert!(held.iter().all(Held::holds));
        of(used).lock().check();
    }
    for span in held {
        // SAFETY: ours until now.
        unsafe { free(span.page) };
    }
    of(used).lock().check();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn spans_never_overlap_and_invariants_hold(ops in ops()) {
        run(Use::Large, ops);
    }
}

#[test]
fn a_request_takes_no_more_than_it_asked() {
    let _alone = alone();
    let before = of(Use::Large).lock().budget.in_use;
    let span = alloc(Use::Large, 33, 1, 1).expect("memory");
    assert_eq!(of(Use::Large).lock().budget.in_use, before + 33 * SLICE);
    // SAFETY: ours.
    unsafe { free(span.page) };
    assert_eq!(of(Use::Large).lock().budget.in_use, before);
}

#[test]
fn a_peak_goes_back() {
    let _alone = alone();
    let spans: Vec<Held> = (0..100)
        .map(|mark| Held {
            page: alloc(Use::Large, 16, 1, 1).expect("memory").page,
            mark,
        })
        .collect();
    spans.iter().for_each(Held::fill);
    for span in spans {
        // SAFETY: ours until now.
        unsafe { free(span.page) };
    }
    let buddy = of(Use::Large).lock();
    buddy.check();
}
