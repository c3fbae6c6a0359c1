//! The invariants of a heap, checked in tests.

use super::Heap;
use crate::backend::slab;
use crate::base::atomic::Ordering;
use crate::base::class::{self, CLASSES};
use crate::map::{self, ListId};

impl Heap {
    /// Checks the invariants of the heap and of its pages.
    ///
    /// # Safety
    /// The caller holds `life`.
    pub unsafe fn check(&self) {
        let mut lists = self.lists.lock();
        let (mut kept, mut waiting) = (0, 0);
        for bin in 0..lists.bins() {
            let class = bin % CLASSES;
            let active = self.active(bin).load(Ordering::Relaxed);
            for size in (0..=class::DIRECT_MAX).filter(|&size| class::class_of(size) == class) {
                let top = self.top.direct[size.div_ceil(class::QUANTUM)].load(Ordering::Relaxed);
                match self.is_in_top(bin) {
                    true => assert_eq!(top, active),
                    false if bin < CLASSES => assert_eq!(top, map::none(), "a closed class"),
                    false => {}
                }
            }
            // SAFETY: pages of this heap.
            unsafe {
                if active != map::none() {
                    assert_eq!(((*active).bin(), (*active).list), (bin, ListId::None));
                    assert!((*active).is_owned_by(self.address()));
                    assert_eq!((*active).bias, i16::from((*active).kept));
                    kept += usize::from((*active).kept) * (*active).size;
                    slab::check(active);
                }
                let mut may_be_kept = true;
                for page in lists.waiting_in(bin).iter() {
                    assert_eq!((*page).bin(), bin);
                    assert!((*page).is_owned_by(self.address()));
                    assert!(!(*page).tally.load().is_full());
                    assert_eq!((*page).kept, (*page).out() == 0);
                    waiting += usize::from((*page).slices);
                    may_be_kept &= (*page).kept;
                    assert_eq!((*page).kept, may_be_kept, "kept pages come first");
                    kept += usize::from((*page).kept) * (*page).size;
                    assert!((*page).bias <= 0);
                    slab::check(page);
                }
            }
        }
        let mut sparse = 0;
        for bin in 0..lists.bins() {
            for page in lists.sparse_in(bin).iter() {
                sparse += 1;
                // SAFETY: pages of this heap.
                unsafe {
                    assert_eq!((*page).bin(), bin);
                    assert!((*page).is_owned_by(self.address()) && !(*page).kept);
                    assert!((*page).bias == 0 && (*page).out() > 0);
                    slab::check(page);
                }
            }
        }
        // SAFETY: the arena is this heap's.
        unsafe { (*self.arena.get()).check() };
        assert_eq!((kept, waiting), (lists.kept_bytes, lists.waiting));
        assert_eq!(sparse, lists.sparse_pages);
        for page in lists.returned.iter() {
            // SAFETY: full pages at home here.
            unsafe {
                assert!((*page).tally.load().is_full() && (*page).tally.load().count() > 0);
                assert_eq!((*page).home.load(Ordering::Relaxed), self.address());
            }
        }
    }
}
