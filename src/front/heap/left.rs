//! What a laid-down heap tells others of what its thread has left.

use super::{Heap, Lists};
use crate::base::atomic::Ordering;
use crate::base::class::CLASSES;
use crate::map;

impl Heap {
    /// Tells others which classes it has pages of.
    pub fn tell_classes(&self, lists: &Lists) {
        for (word, classes) in self.classes.iter().enumerate() {
            let has = |class: &usize| {
                let active = self.top.active[*class].load(Ordering::Relaxed);
                active != map::none() || lists.bins[*class].len() + lists.sparse[*class].len() > 0
            };
            let these = (word * 64..CLASSES.min(word * 64 + 64)).filter(has);
            let bits = these.fold(0, |bits, class| bits | 1 << (class % 64));
            classes.store(bits, Ordering::Relaxed);
        }
    }

    /// Whether a laid-down heap has pages of `class`, probably.
    pub fn has_class(&self, class: usize) -> bool {
        self.classes[class / 64].load(Ordering::Relaxed) >> (class % 64) & 1 != 0
    }

    /// Tells others that they need not look for pages of `class`.
    pub fn lacks_class(&self, class: usize) {
        self.classes[class / 64].fetch_and(!(1 << (class % 64)), Ordering::Relaxed);
    }

    /// Counts mail for a laid-down heap, which the caller has in hand. Returns how often it came.
    pub fn count_received(&self) -> usize {
        let often = self.received.load(Ordering::Relaxed) + 1;
        self.received.store(often, Ordering::Relaxed);
        often
    }
}
