//! Where the fast path finds the active pages.

use crate::base::atomic::{AtomicPtr, Ordering};
use crate::base::class::{self, CLASSES, DIRECT};
use crate::map::{self, Page};

/// The tables of the fast path. Relaxed atomics, so that another thread can change the
/// mode of a heap while its owner allocates.
#[repr(C)]
pub struct Top {
    pub direct: [AtomicPtr<Page>; DIRECT],
    pub active: [AtomicPtr<Page>; CLASSES],
}

impl Top {
    /// Writes the page of a class, in `active` and `direct`.
    pub(super) fn set(&self, class: usize, page: *mut Page) {
        self.active[class].store(page, Ordering::Relaxed);
        let (from, to) = class::info(class).direct;
        for size in from..to {
            // SAFETY: a class's range ends within the table; a test goes through all.
            let slot = unsafe { self.direct.get_unchecked(usize::from(size)) };
            slot.store(page, Ordering::Relaxed);
        }
    }

    /// The page at a place of both tables: see `class::place_of`.
    ///
    /// # Safety
    /// The place is one of those.
    #[inline(always)]
    pub unsafe fn at(&self, place: usize) -> *mut Page {
        // SAFETY: `active` follows `direct`.
        unsafe {
            let slot = core::ptr::from_ref(self)
                .cast::<AtomicPtr<Page>>()
                .add(place);
            (*slot).load(Ordering::Relaxed)
        }
    }

    /// Makes every page the empty one.
    pub(super) fn clear(&mut self) {
        self.direct.fill_with(|| AtomicPtr::new(map::none()));
        self.active.fill_with(|| AtomicPtr::new(map::none()));
    }

    pub(super) const fn empty() -> Top {
        Top {
            direct: [const { AtomicPtr::new(map::none()) }; DIRECT],
            active: [const { AtomicPtr::new(map::none()) }; CLASSES],
        }
    }
}
