//! Routes: which lane serves a call, in a class whose blocks the model sorts.
//!
//! A heap remembers the answers. An entry's key is the site with the class, mixed with the
//! return addresses of the frames that were asked. It has a lane, or says how far above the
//! stack pointer at the entry the next return address lies. What is not found is looked up
//! in the model: once for each context, until modules come or go.
//!
//! Invariants
//! 1. Only the heap's holder touches its entries.
//! 2. A distance comes from the unwind tables of the modules that the return addresses before it
//!    lie in. So it leads into a live frame of the calling thread's stack.

use super::call::Call;
use super::follow;
use super::heap::lanes::Lanes;
use crate::base::mix::mix;
use crate::decision::tree::{Next, class_key, frame_key, site_key};
use crate::topology::frames::{Walk, strip};
use crate::topology::points::{self, point};

const ENTRIES: usize = 512;
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
    entries: [Entry; ENTRIES],
    /// The age of what is known of modules when the first entry was made.
    age: u64,
}

impl Routes {
    #[inline(always)]
    fn get(&self, key: u64) -> Option<&Entry> {
        let home = home_of(key);
        [home, home ^ 1]
            .map(|at| &self.entries[at])
            .into_iter()
            .find(|entry| entry.key == key)
    }

    /// In place of the older of two.
    fn put(&mut self, entry: Entry) {
        let home = home_of(entry.key);
        self.entries[home ^ 1] = self.entries[home];
        self.entries[home] = entry;
    }
}

#[inline(always)]
fn home_of(key: u64) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - ENTRIES.ilog2())) as usize
}

/// Whether the model sends blocks of a class to different lanes.
pub fn decides(class: usize) -> bool {
    #[cfg(test)]
    if tests::pretends() {
        return !class.is_multiple_of(3);
    }
    follow::model().is_some_and(|model| model.routes(class))
}

/// The lane of a request of a class.
///
/// # Safety
/// The lanes are of the calling thread's heap, and the call is its own.
#[inline(always)]
pub unsafe fn lane(lanes: &Lanes, class: usize, call: &Call) -> usize {
    #[cfg(test)]
    if tests::pretends() {
        return call.site % crate::base::class::LANES;
    }
    // SAFETY: invariant 1.
    let routes = unsafe { &mut *lanes.routes.get() };
    if routes.age == points::age() {
        let mut key = first_key(class, call);
        while let Some(entry) = routes.get(key) {
            if entry.distance == 0 {
                return entry.lane as usize;
            }
            // SAFETY: invariant 2.
            let site = unsafe { ((call.stack + entry.distance as usize) as *const usize).read() };
            key = mix(key, strip(site) as u64);
        }
    }
    // SAFETY: as the caller says.
    unsafe { find(routes, class, call) }
}

#[inline(always)]
fn first_key(class: usize, call: &Call) -> u64 {
    call.site as u64 ^ (class as u64) << 56
}

/// Asks the model, and remembers what it says.
///
/// # Safety
/// As `lane`.
#[cold]
#[inline(never)]
unsafe fn find(routes: &mut Routes, class: usize, call: &Call) -> usize {
    let Some(model) = follow::model().filter(|_| call.site != 0) else {
        return 0;
    };
    let age = points::age();
    if routes.age != age {
        routes.entries.fill(NOTHING);
        routes.age = age;
    }
    let mut at = point(call.site);
    if at.hash == 0 {
        return 0;
    }
    let mut walk = Walk::new(call.stack, call.frame);
    let (mut key, mut node) = (first_key(class, call), site_key(at.hash));
    // Whether the way here can be gone again without a walk.
    let mut direct = true;
    let mut remember = |key: u64, lane: u8, distance: u32| {
        if routes.get(key).is_none() {
            routes.put(Entry {
                key,
                lane: lane.into(),
                distance,
            });
        }
    };
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
            Next::Class => node = class_key(node, class),
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
                key = mix(key, step.site as u64);
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
