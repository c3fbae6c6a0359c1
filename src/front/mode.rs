//! What the library does with what it sees of calls: nothing, learn from it, or follow a model.

use super::heap::Heap;
use super::heap::lanes::NEVER;
use super::{registry, route, sampler};
use crate::base::atomic::{AtomicU8, Ordering};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Mode {
    /// Every block comes from the first lane; no call is looked at.
    Untrained,
    /// All classes are closed: each call may be a sample.
    Training,
    /// The classes that the model routes are closed.
    Inference,
}

static MODE: AtomicU8 = AtomicU8::new(Mode::Untrained as u8);

#[inline]
pub fn mode() -> Mode {
    // SeqCst: see `set`.
    match MODE.load(Ordering::SeqCst) {
        1 => Mode::Training,
        2 => Mode::Inference,
        _ => Mode::Untrained,
    }
}

/// Changes the mode of all heaps. A thread that is on its fast path at this moment may end
/// one more call as before. The calling thread holds no lock.
pub fn set(mode: Mode) {
    // SeqCst: a heap that is added meanwhile is either found here, or its thread finds the mode.
    MODE.store(mode as u8, Ordering::SeqCst);
    registry::heaps().for_each(apply);
}

/// Brings a heap into the mode of the process. Without memory for lanes it goes on untrained.
#[inline]
pub fn apply(heap: &Heap) {
    if mode() != Mode::Untrained || heap.lanes().is_some() {
        change(heap);
    }
}

#[cold]
#[inline(never)]
fn change(heap: &Heap) {
    let mode = mode();
    let next = match mode {
        Mode::Training => sampler::draw(),
        _ => NEVER as u64,
    };
    if mode == Mode::Inference && !route::decides_any() && heap.lanes().is_none() {
        return;
    }
    let mut lists = heap.lists.lock();
    if heap.widen(&mut lists) {
        if let Some(lanes) = heap.lanes() {
            lanes.count_from(next);
            lanes.routes.forget();
        }
        heap.close_classes(&mut lists, |class| match mode {
            Mode::Untrained => false,
            Mode::Training => true,
            Mode::Inference => route::decides(class),
        });
    }
}
