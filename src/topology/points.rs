//! What is known of a return address: its place in a module, and its row of the unwind table.
//! Found once, and kept in a table until a module goes.
//!
//! Invariants
//! 1. `mark` is 0, `BUSY`, or an address with the age of what is known of it. An entry whose mark
//!    has today's age does not change. Who makes an entry busy writes it, and nobody else.
//! 2. A reader takes the fields only if the mark is the same before and after.

use super::modules;
use super::row::{Row, row};
use crate::base::atomic::{AtomicU64, Ordering, fence};
use crate::base::mix::mix;
use crate::sys::module;

/// A return address, looked up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Point {
    /// The same in every process that has the module; 0 for none.
    pub hash: u64,
    /// The module's number, and the distance from where it was loaded.
    pub module: u16,
    pub offset: u64,
    pub row: Row,
}

impl Point {
    /// In no module.
    pub const NONE: Point = Point {
        hash: 0,
        module: 0,
        offset: 0,
        row: Row::END,
    };
}

struct Entry {
    mark: AtomicU64,
    hash: AtomicU64,
    /// Module and offset.
    place: AtomicU64,
    row: AtomicU64,
}

const ENTRIES: usize = 16384;
/// Entries that an address may be found in.
const NEAR: usize = 8;
const BUSY: u64 = 1;
const ADDRESS_BITS: u32 = 48;
const ADDRESS: u64 = (1 << ADDRESS_BITS) - 1;

static TABLE: [Entry; ENTRIES] = [const {
    Entry {
        mark: AtomicU64::new(0),
        hash: AtomicU64::new(0),
        place: AtomicU64::new(0),
        row: AtomicU64::new(0),
    }
}; ENTRIES];

/// Counts how often modules have gone, from 1 on. What is known from before is forgotten.
static AGE: AtomicU64 = AtomicU64::new(1);

/// A module may have gone.
pub fn forget() {
    AGE.fetch_add(1, Ordering::Relaxed);
}

/// How often modules have gone, and 1.
pub fn age() -> u64 {
    AGE.load(Ordering::Relaxed)
}

/// Looks up a return address. Not under a lock of ours.
pub fn point(address: usize) -> Point {
    let age = AGE.load(Ordering::Relaxed);
    let mark = address as u64 & ADDRESS | age << ADDRESS_BITS;
    let home = mix(0, address as u64) as usize;
    let near = || (0..NEAR).map(|step| &TABLE[(home + step) % ENTRIES]);
    if let Some(known) = near().find_map(|entry| entry.read(mark)) {
        return known;
    }
    let point = find(address);
    // A place that is free, or holds what is out of date.
    near().any(|entry| entry.write(mark, &point));
    point
}

impl Entry {
    fn read(&self, mark: u64) -> Option<Point> {
        // Acquire: the fields that belong to the mark.
        if self.mark.load(Ordering::Acquire) != mark {
            return None;
        }
        let place = self.place.load(Ordering::Relaxed);
        let point = Point {
            hash: self.hash.load(Ordering::Relaxed),
            module: (place >> ADDRESS_BITS) as u16,
            offset: place & ADDRESS,
            row: Row::from_bits(self.row.load(Ordering::Relaxed)),
        };
        fence(Ordering::Acquire);
        (self.mark.load(Ordering::Relaxed) == mark).then_some(point)
    }

    /// False if the entry is in use.
    fn write(&self, mark: u64, point: &Point) -> bool {
        let old = self.mark.load(Ordering::Relaxed);
        if old == BUSY || old != 0 && old >> ADDRESS_BITS == mark >> ADDRESS_BITS {
            return false;
        }
        let ours = self
            .mark
            .compare_exchange(old, BUSY, Ordering::Acquire, Ordering::Relaxed);
        if ours.is_err() {
            return false;
        }
        let place = u64::from(point.module) << ADDRESS_BITS | point.offset;
        // Release: who sees a field of ours sees that the mark has changed.
        self.hash.store(point.hash, Ordering::Release);
        self.place.store(place, Ordering::Release);
        self.row.store(point.row.to_bits(), Ordering::Release);
        // Release: who sees the mark sees the fields.
        self.mark.store(mark, Ordering::Release);
        true
    }
}

fn find(address: usize) -> Point {
    let Some(module) = module::find(address) else {
        return Point::NONE;
    };
    let Some(identity) = module.identity() else {
        return Point::NONE;
    };
    let Some(number) = modules::number_of(&identity) else {
        return Point::NONE;
    };
    let offset = address.wrapping_sub(module.bias) as u64 & ADDRESS;
    Point {
        hash: mix(identity.hash(), offset),
        module: number as u16,
        offset,
        // SAFETY: the address lies on the caller's stack, so its module stays.
        row: unsafe { row(&module, address) },
    }
}

/// The hash of a place in a module.
pub fn hash_of(module: &module::Identity, offset: u64) -> u64 {
    mix(module.hash(), offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_what_was_found() {
        module::prepare();
        let addresses = [
            what_is_known_is_what_was_found as *const () as usize + 4,
            libc::strlen as *const () as usize + 4,
            16,
        ];
        for address in addresses {
            let found = find(address);
            assert_eq!(point(address), found);
            assert_eq!(point(address), found);
            forget();
            assert_eq!(point(address), found);
        }
        assert_eq!(point(16), Point::NONE);
        assert_ne!(point(addresses[0]).hash, point(addresses[1]).hash);
    }

    #[test]
    fn threads_never_see_the_half_of_an_entry() {
        module::prepare();
        let base = threads_never_see_the_half_of_an_entry as *const () as usize;
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    for round in 0..20_000 {
                        let address = base + round % 64;
                        let point = point(address);
                        assert_eq!(point.hash, find(address).hash);
                        if round % 100 == 0 {
                            forget();
                        }
                    }
                });
            }
        });
    }
}
