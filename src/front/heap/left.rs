//! What a laid-down heap tells others of what its thread has left.

use super::{Heap, Lists};
use crate::base::atomic::Ordering;
use crate::base::class::CLASSES;
use crate::map;

impl Heap {
    /// Tells others which classes it has pages of.
    pub fn tell_classes(&self, lists: &mut Lists) {
        let count = lists.bins();
        for (word, classes) in self.classes.iter().enumerate() {
            let mut has = |bin: &usize| {
                let active = self.active(*bin).load(Ordering::Relaxed);
                active != map::none()
                    || lists.waiting_in(*bin).len() + lists.sparse_in(*bin).len() > 0
            };
            let of_word = |bin: &usize| bin % CLASSES / 64 == word;
            let these = (0..count).filter(of_word).filter(&mut has);
            let bits = these.fold(0, |bits, bin| bits | 1 << (bin % CLASSES % 64));
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

    /// Lets the arena's chunk go, which nobody bumps off from now on.
    ///
    /// # Safety
    /// The caller has the heap to itself, and holds no lock.
    pub unsafe fn leave_arena(&self) {
        let _lists = self.lists.lock();
        // SAFETY: the arena is the caller's.
        unsafe { (*self.arena.get()).leave() };
    }

    /// Counts the arena's blocks anew, in a copy of the process where nobody else runs.
    pub fn recount_arena(&self) {
        // SAFETY: nobody else is there.
        unsafe { (*self.arena.get()).recount() };
    }

    /// Counts mail for a laid-down heap, which the caller has in hand. Returns how often it came.
    pub fn count_received(&self) -> usize {
        let often = self.received.load(Ordering::Relaxed) + 1;
        self.received.store(often, Ordering::Relaxed);
        often
    }
}
