//! The modules that were seen, by number: places are counted from where a module was loaded.

use crate::base::atomic::{AtomicU32, Ordering};
use crate::sys::module::Identity;
use core::cell::UnsafeCell;

/// Modules that are told apart.
pub const MODULES: usize = 512;

const EMPTY: u32 = 0;
const BUSY: u32 = 1;
const READY: u32 = 2;

struct Slot {
    state: AtomicU32,
    identity: UnsafeCell<Identity>,
}

// SAFETY: the identity is written by who has made the slot busy, and read once it is ready.
unsafe impl Sync for Slot {}

static SLOTS: [Slot; MODULES] = [const {
    Slot {
        state: AtomicU32::new(EMPTY),
        identity: UnsafeCell::new(Identity::NONE),
    }
}; MODULES];

/// The number of a module, which it has for good. `None` if there are too many. Two threads that
/// see a module first at the same time may give it two numbers.
pub fn number_of(identity: &Identity) -> Option<usize> {
    for (number, slot) in SLOTS.iter().enumerate() {
        match slot.state.load(Ordering::Acquire) {
            READY if known(slot) == *identity => return Some(number),
            EMPTY => {
                let ours =
                    slot.state
                        .compare_exchange(EMPTY, BUSY, Ordering::Acquire, Ordering::Relaxed);
                if ours.is_ok() {
                    // SAFETY: the slot is busy, with us.
                    unsafe { *slot.identity.get() = *identity };
                    // Release: who finds it ready finds the identity.
                    slot.state.store(READY, Ordering::Release);
                    return Some(number);
                }
            }
            _ => {}
        }
    }
    None
}

/// The module of a number that `number_of` has given.
pub fn identity_of(number: usize) -> Option<Identity> {
    let slot = SLOTS.get(number)?;
    (slot.state.load(Ordering::Acquire) == READY).then(|| known(slot))
}

fn known(slot: &Slot) -> Identity {
    // SAFETY: a slot that is ready is never written again.
    unsafe { *slot.identity.get() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_keeps_its_number() {
        let named = |name: u8| Identity {
            bytes: [name; 32],
            len: 20,
            build_id: true,
        };
        let one = number_of(&named(1)).expect("room");
        let two = number_of(&named(2)).expect("room");
        assert_ne!(one, two);
        assert_eq!(number_of(&named(1)), Some(one));
        assert_eq!(identity_of(two), Some(named(2)));
        assert_eq!(identity_of(MODULES), None);
    }
}
