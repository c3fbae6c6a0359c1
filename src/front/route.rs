//! Routes: which lane serves a call, in a class whose blocks the model sorts.
//!
//! A heap remembers the answers. An entry's key is the site with the place of the size in the
//! heap's tables, mixed with the return addresses of the frames that were asked. It has a lane, or
//! says how far above the stack pointer at the entry the next return address lies. What is not
//! found is looked up in the model: once for each context, until a module goes.
//!
//! Invariants
//! 1. Only the heap's holder touches its entries.
//! 2. A distance comes from the unwind tables of the modules that the return addresses before it
//!    lie in. So it leads into a live frame of the calling thread's stack.

use super::call::Call;
use super::follow;
use super::heap::lanes::Lanes;
use super::mode::{self, Mode};
use crate::backend::slab;
use crate::base::atomic::{AtomicU64, Ordering};
use crate::base::class;
use crate::decision::tree::{Next, class_key, frame_key, site_key};
use crate::topology::frames::{Walk, strip};
use crate::topology::points::{self, point};
use core::cell::UnsafeCell;
use core::ptr::null_mut;

const ENTRIES: usize = 1024;
/// Farther return addresses are walked to, each time.
const FAR: u32 = 32 << 10;

#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    lane: u32,
    /// 0: the lane is for good.
    distance: u32,
}

const NOTHING: Entry = Entry {
    key: 0,
    lane: 0,
    distance: 0,
};

/// What a heap remembers. All zeroes is nothing.
pub struct Routes {
    entries: UnsafeCell<[Entry; ENTRIES]>,
    /// The age of what is known of modules when the first entry was made; 0 for none. Written by
    /// the holder, and by who changes the mode.
    age: AtomicU64,
}

impl Routes {
    /// Forgets everything. Any thread.
    pub fn forget(&self) {
        self.age.store(0, Ordering::Relaxed);
    }

    /// Whether the holder may believe the entries.
    #[inline(always)]
    fn are_valid(&self) -> bool {
        self.age.load(Ordering::Relaxed) == points::age()
    }

    /// Where an entry of this key is, or would be.
    #[inline(always)]
    fn at(&self, key: u64) -> *mut Entry {
        let home = (key.wrapping_mul(SPREAD) >> (64 - ENTRIES.ilog2())) as usize;
        // SAFETY: within the table.
        unsafe { self.entries.get().cast::<Entry>().add(home) }
    }
}

/// 2⁶⁴ divided by the golden ratio.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The key of a request at a site.
#[inline(always)]
fn first_key(place: usize, site: usize) -> u64 {
    site as u64 ^ (place as u64) << 56
}

/// The key of a frame above what `key` stands for.
#[inline(always)]
fn next_key(key: u64, site: usize) -> u64 {
    (key.rotate_left(29) ^ site as u64).wrapping_mul(SPREAD)
}

/// A block from the lane that is remembered for a request, if its site alone tells, and the
/// lane has a block at hand. `place` is that of the size.
///
/// # Safety
/// The lanes are of the calling thread's heap, and the call is its own.
#[inline(always)]
pub unsafe fn pop(lanes: &Lanes, place: usize, site: usize) -> *mut u8 {
    let key = first_key(place, site);
    // SAFETY: invariant 1; the place is of a size.
    unsafe {
        let entry = lanes.routes.at(key);
        if !lanes.routes.are_valid() || (*entry).key != key || (*entry).distance != 0 {
            return null_mut();
        }
        pop_from(lanes, place, entry)
    }
}

/// As `pop`, where the site alone does not tell.
///
/// # Safety
/// As `pop`.
#[inline(always)]
pub unsafe fn pop_deep(lanes: &Lanes, place: usize, site: usize, stack: usize) -> *mut u8 {
    if !lanes.routes.are_valid() {
        return null_mut();
    }
    let mut key = first_key(place, site);
    // SAFETY: invariants 1 and 2.
    unsafe {
        loop {
            let entry = lanes.routes.at(key);
            if (*entry).key != key {
                return null_mut();
            }
            if (*entry).distance == 0 {
                return pop_from(lanes, place, entry);
            }
            let above = ((stack + (*entry).distance as usize) as *const usize).read();
            key = next_key(key, strip(above));
        }
    }
}

/// By a branch: the page of lane 0 is known before the entry has been read.
#[inline(always)]
unsafe fn pop_from(lanes: &Lanes, place: usize, entry: *const Entry) -> *mut u8 {
    // SAFETY: as in `pop`; an entry's lane is one of those.
    unsafe {
        let mut top = &raw const lanes.tops[0];
        if (*entry).lane != 0 {
            apart();
            top = top.add((*entry).lane as usize);
        }
        slab::pop((*top).at(place)).cast()
    }
}

/// Keeps a branch from becoming a computation.
#[inline(always)]
fn apart() {
    // SAFETY: no instruction at all.
    unsafe { core::arch::asm!("", options(nomem, nostack, preserves_flags)) };
}

/// Whether the model sends blocks of any class to different lanes.
pub fn decides_any() -> bool {
    (0..class::CLASSES).any(decides)
}

/// Whether the model sends blocks of a class to different lanes.
pub fn decides(class: usize) -> bool {
    #[cfg(test)]
    if tests::pretends() {
        return !class.is_multiple_of(3);
    }
    follow::model().is_some_and(|model| model.routes(class))
}

/// The lane of a request: asks the model, and remembers what it says.
///
/// # Safety
/// The lanes are of the calling thread's heap, and the call is its own.
#[cold]
#[inline(never)]
pub unsafe fn lane(lanes: &Lanes, size: usize, call: &Call) -> usize {
    #[cfg(test)]
    if tests::pretends() {
        return call.site % class::LANES;
    }
    let Some(model) = follow::model().filter(|_| mode::mode() == Mode::Inference) else {
        return 0;
    };
    let mut at = point(call.site);
    if at.hash == 0 {
        return 0;
    }
    let routes = &lanes.routes;
    if !routes.are_valid() {
        let age = points::age();
        // SAFETY: invariant 1.
        unsafe { (*routes.entries.get()).fill(NOTHING) };
        routes.age.store(age, Ordering::Relaxed);
    }
    let remember = |key: u64, lane: u8, distance: u32| {
        let lane = lane.into();
        // SAFETY: invariant 1.
        unsafe {
            routes.at(key).write(Entry {
                key,
                lane,
                distance,
            })
        };
    };
    let mut walk = Walk::new(call.stack, call.frame);
    let mut key = first_key(class::place_of(size), call.site);
    let mut node = site_key(at.hash);
    // Whether the way here can be gone again without a walk.
    let mut direct = true;
    let mut lane = 0;
    loop {
        let answer = model.answer(node);
        lane = answer.map_or(lane, |answer| answer.lane);
        match answer.map_or(Next::Nothing, |answer| answer.next) {
            Next::Nothing => {
                if direct {
                    remember(key, lane, 0);
                }
                return lane.into();
            }
            Next::Class => node = class_key(node, class::class_of(size)),
            Next::Frame => {
                // SAFETY: the walk is of the calling thread's stack, and has come to `at`.
                let Some(step) = (unsafe { walk.step(&at) }) else {
                    return lane.into();
                };
                match step.distance {
                    Some(distance) if direct && distance < FAR => remember(key, lane, distance),
                    _ => direct = false,
                }
                at = point(step.site);
                if at.hash == 0 {
                    return lane.into();
                }
                key = next_key(key, step.site);
                node = frame_key(node, at.hash);
            }
        }
    }
}

#[cfg(test)]
pub mod tests {
    use crate::base::atomic::{AtomicBool, Ordering};

    /// Lanes without a model.
    static PRETENDS: AtomicBool = AtomicBool::new(false);

    /// From now on, calls go to lanes by their site.
    pub fn pretend() {
        PRETENDS.store(true, Ordering::Relaxed);
    }

    pub fn pretends() -> bool {
        PRETENDS.load(Ordering::Relaxed)
    }
}
