//! Routes: which lane serves a call.

use super::call::Call;
use super::heap::Heap;
use super::heap::lanes::Lanes;
#[cfg(test)]
use crate::base::atomic::{AtomicBool, Ordering};

/// In tests: lanes without a model.
#[cfg(test)]
static PRETENDS: AtomicBool = AtomicBool::new(false);

/// From now on, calls go to lanes by their site.
#[cfg(test)]
pub fn pretend() {
    PRETENDS.store(true, Ordering::Relaxed);
}

/// Whether a model sends requests of a class to different lanes.
pub fn decides(class: usize) -> bool {
    #[cfg(test)]
    if PRETENDS.load(Ordering::Relaxed) {
        return class % 3 != 0;
    }
    let _ = class;
    false
}

/// The lane of a request of a class.
///
/// # Safety
/// The heap is the calling thread's.
#[inline(always)]
pub unsafe fn lane(_heap: *mut Heap, _lanes: &Lanes, _class: usize, call: &Call) -> usize {
    #[cfg(test)]
    if PRETENDS.load(Ordering::Relaxed) {
        return call.site % crate::base::class::LANES;
    }
    let _ = call;
    0
}
