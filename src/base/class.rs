//! Size classes: the block sizes that slab pages come in.
//!
//! Steps of 16 bytes up to 256, from there eight steps a doubling, so that a block is
//! never more than 12.5 % larger than what was asked (plus the 16-byte quantum).

use super::bits::low_bit;

/// Every block is a multiple of this and aligned to it.
pub const QUANTUM: usize = 16;
/// Sizes up to here have an entry in a heap's `direct` table.
pub const DIRECT_MAX: usize = 1024;
/// Sizes up to here are served by the slab.
pub const SLAB_MAX: usize = 256 << 10;
/// Number of size classes.
pub const CLASSES: usize = 96;
/// Lanes: sets of pages, each for blocks of one class of lifetimes. Lane 0 is for all blocks of
/// which nothing is known.
pub const LANES: usize = 5;
/// Bins: pages of one lane and one size class. The first `CLASSES` are those of lane 0.
pub const BINS: usize = LANES * CLASSES;

/// The bin of a lane and a size class.
#[inline(always)]
pub const fn bin_of(lane: usize, class: usize) -> usize {
    lane * CLASSES + class
}

/// Entries of a heap's `direct` table: one for each quantum.
pub const DIRECT: usize = DIRECT_MAX / QUANTUM + 1;

/// The unit of spans: pages begin at multiples of this.
pub const SLICE: usize = 64 << 10;

const LINEAR: usize = 8;
const LINEAR_MAX: usize = LINEAR * QUANTUM;
const STEP_SHIFT: u32 = 3;

/// What is fixed for a class.
#[derive(Clone, Copy)]
pub struct Class {
    /// Bytes in a block.
    pub size: u32,
    /// Slices in a page.
    pub slices: u16,
    /// The first block may start at 0, 1, … `colours - 1` times `colour_step`.
    pub colours: u16,
    pub colour_step: u32,
    /// The entries of `direct` that lead to this class, from and up to.
    pub direct: (u8, u8),
    /// ⌈2⁶⁴ / size⌉: `n` is a multiple of `size` exactly when `n * magic < magic` in
    /// 64-bit arithmetic, for n < 2³² (D. Lemire, O. Kaser, N. Kurz, "Faster remainder
    /// by direct computation", 2019).
    pub magic: u64,
}

/// The class of a request of `size` bytes, at most `SLAB_MAX`.
#[inline(always)]
pub const fn class_of(size: usize) -> usize {
    debug_assert!(size <= SLAB_MAX);
    if size <= LINEAR_MAX {
        if size == 0 { 0 } else { (size - 1) / QUANTUM }
    } else {
        // The step within the doubling is 8 to 15, of which 8 stand for the linear classes.
        let last = size - 1;
        let log = last.ilog2();
        let step = last >> (log - STEP_SHIFT);
        (((log - LINEAR_MAX.ilog2()) as usize) << STEP_SHIFT) + step
    }
}

/// Above `DIRECT_MAX` class sizes are multiples of `FINE`, above `FINE_MAX` of `COARSE`.
pub const FINE: usize = DIRECT_MAX >> STEP_SHIFT;
pub const FINE_MAX: usize = 32 << 10;
pub const COARSE: usize = FINE_MAX >> STEP_SHIFT;
/// Where the multiples of `COARSE` begin in `STEPS`.
pub const COARSE_AT: usize = FINE_MAX / FINE;

/// For sizes above `DIRECT_MAX`, where their class stands in the tables of a heap, which
/// begin with `DIRECT` entries: by multiples of `FINE` up to `FINE_MAX`, then of `COARSE`.
/// A look is faster than the logarithm.
pub static STEPS: [u8; COARSE_AT + SLAB_MAX / COARSE + 1] = {
    let mut steps = [0; _];
    let mut at = 0;
    while at < steps.len() {
        let size = match at <= COARSE_AT {
            true => at * FINE,
            false => (at - COARSE_AT) * COARSE,
        };
        steps[at] = (DIRECT + class_of(size)) as u8;
        at += 1;
    }
    steps
};

/// Where a request's class stands in the tables of a heap.
#[inline(always)]
pub const fn place_of(size: usize) -> usize {
    if size <= DIRECT_MAX {
        size.div_ceil(QUANTUM)
    } else {
        DIRECT + class_of(size)
    }
}

/// Bytes in a block of `class`.
pub const fn size_of(class: usize) -> usize {
    debug_assert!(class < CLASSES);
    if class < LINEAR {
        (class + 1) * QUANTUM
    } else {
        let log = ((class - LINEAR) >> STEP_SHIFT) + LINEAR_MAX.ilog2() as usize;
        let step = (class - LINEAR) & ((1 << STEP_SHIFT) - 1);
        ((1 << STEP_SHIFT) + step + 1) << (log - STEP_SHIFT as usize)
    }
}

/// Pages of small blocks are one slice; up to 64 KiB four; larger blocks have a page
/// of their own, whose untouched tail costs address space only.
const fn slices_of(size: usize) -> usize {
    if size <= SLICE / 8 {
        1
    } else if size <= SLICE {
        4
    } else {
        size.div_ceil(SLICE)
    }
}

const fn make(class: usize) -> Class {
    let size = size_of(class);
    let slices = slices_of(size);
    // A colour keeps the alignment that the size promises. The room given up to
    // colours is at most 1/32 of the page, and nothing where a page is one block.
    let step = if low_bit(size) > 64 {
        low_bit(size)
    } else {
        64
    };
    let room = if size > SLICE { 0 } else { slices * SLICE / 32 };
    let colours = if room / step + 1 > 16 {
        16
    } else {
        room / step + 1
    };
    let below = if class == 0 {
        0
    } else {
        size_of(class - 1) / QUANTUM + 1
    };
    let direct = if size <= DIRECT_MAX {
        (below, size / QUANTUM + 1)
    } else {
        (0, 0)
    };
    Class {
        direct: (direct.0 as u8, direct.1 as u8),
        size: size as u32,
        slices: slices as u16,
        colours: colours as u16,
        colour_step: step as u32,
        magic: u64::MAX / size as u64 + 1,
    }
}

static TABLE: [Class; CLASSES] = {
    let mut table = [make(0); CLASSES];
    let mut class = 0;
    while class < CLASSES {
        table[class] = make(class);
        class += 1;
    }
    table
};

/// What is fixed for `class`, which is less than `CLASSES`.
#[inline]
pub fn info(class: usize) -> &'static Class {
    &TABLE[class]
}

/// The smallest class whose blocks hold `size` bytes at a multiple of `align`, a power
/// of two of at most `SLICE`; `None` if the slab has none.
pub fn class_aligned(size: usize, align: usize) -> Option<usize> {
    debug_assert!(align.is_power_of_two() && align <= SLICE);
    let size = super::bits::round_up(size.max(1), align)?;
    if size > SLAB_MAX {
        return None;
    }
    (class_of(size)..CLASSES).find(|&class| low_bit(size_of(class)) >= align)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_has_the_smallest_class_that_holds_it() {
        for size in 0..=SLAB_MAX {
            let class = class_of(size);
            assert!(size_of(class) >= size.max(1));
            assert!(class == 0 || size_of(class - 1) < size);
        }
        assert_eq!(class_of(SLAB_MAX), CLASSES - 1);
        assert_eq!(size_of(CLASSES - 1), SLAB_MAX);
    }

    #[test]
    fn steps_lead_to_the_class_of_every_size() {
        for size in DIRECT_MAX + 1..=SLAB_MAX {
            let at = match size <= FINE_MAX {
                true => size.div_ceil(FINE),
                false => COARSE_AT + size.div_ceil(COARSE),
            };
            assert_eq!(usize::from(STEPS[at]), DIRECT + class_of(size), "{size}");
        }
    }

    #[test]
    fn waste_is_at_most_an_eighth() {
        for size in 129..=SLAB_MAX {
            let waste = size_of(class_of(size)) - size;
            assert!(waste * 8 <= size, "{size} wastes {waste}");
        }
    }

    #[test]
    fn sizes_are_quanta_and_pages_hold_them() {
        for class in 0..CLASSES {
            let c = info(class);
            let size = c.size as usize;
            assert_eq!(size, size_of(class));
            assert_eq!(size % QUANTUM, 0);
            assert!(c.direct.0 <= c.direct.1 && usize::from(c.direct.1) <= DIRECT);
            let span = c.slices as usize * SLICE;
            let last_colour = (c.colours as usize - 1) * c.colour_step as usize;
            assert!(last_colour + size <= span);
            assert!(span / size <= super::super::tally::MAX_BLOCKS as usize);
        }
    }

    #[test]
    fn magic_tells_multiples() {
        for class in 0..CLASSES {
            let c = info(class);
            let span = c.slices as usize * SLICE;
            for offset in (0..span as u64).step_by(8) {
                let is = offset.wrapping_mul(c.magic) < c.magic;
                assert_eq!(is, offset % u64::from(c.size) == 0);
            }
        }
    }

    #[test]
    fn aligned_classes_keep_the_alignment_at_every_colour() {
        for shift in 4..=16 {
            let align = 1 << shift;
            for size in (0..=SLAB_MAX).step_by(61) {
                if let Some(class) = class_aligned(size, align) {
                    let c = info(class);
                    assert!(c.size as usize >= size);
                    assert_eq!(c.size as usize % align, 0);
                    assert!(c.colours == 1 || (c.colour_step as usize).is_multiple_of(align));
                } else {
                    assert!(size + align > SLAB_MAX);
                }
            }
        }
    }
}
