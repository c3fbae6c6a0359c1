//! Blocks at a multiple of more than the quantum.

use super::alloc::{self, Grant};
use super::call::Call;
use crate::base::class::{self, QUANTUM, SLICE};
use crate::options::{self, Force};

/// At least `size` bytes at a multiple of `align`, a power of two.
pub fn alloc_aligned(size: usize, align: usize, call: &Call) -> Grant {
    debug_assert!(align.is_power_of_two());
    if size > alloc::SIZE_MAX || align > alloc::SIZE_MAX {
        return Grant::NONE;
    }
    if align <= QUANTUM {
        return match alloc::fast(size) {
            block if block.is_null() => alloc::slow(size, call),
            block => Grant {
                block,
                zeroed: false,
            },
        };
    }
    if align <= SLICE
        && matches!(options::force(), Force::None | Force::Slab)
        && let Some(class) = class::class_aligned(size, align)
    {
        return alloc::of_class(class::size_of(class), class);
    }
    alloc::big(size, align)
}
