//! What was seen of a signature: a context and a size class.

use super::real::exp;
use crate::base::class::{self, CLASSES, SLAB_MAX};

/// Places in a context: the site and the frames above it.
pub const DEPTH: usize = 4;
/// Classes of lifetimes.
pub const AGES: usize = 24;
/// Lifetimes are told apart from 2 to the power of this many bytes on.
const FIRST_AGE: u32 = 12;

/// A place in the program: which module, in the list of modules that goes with it, and how
/// far from where the module was loaded. 0 stands for none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
#[repr(transparent)]
pub struct Place(pub u64);

impl Place {
    pub const NONE: Place = Place(0);
    const OFFSET_BITS: u32 = 48;

    /// `None` if the module or the offset has too many bits.
    pub fn new(module: usize, offset: u64) -> Option<Place> {
        let fits = module < 0xffff && offset >> Self::OFFSET_BITS == 0;
        fits.then_some(Place((module as u64 + 1) << Self::OFFSET_BITS | offset))
    }

    pub fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Index of the module. Not of `NONE`.
    pub fn module(self) -> usize {
        (self.0 >> Self::OFFSET_BITS) as usize - 1
    }

    pub fn offset(self) -> u64 {
        self.0 & ((1 << Self::OFFSET_BITS) - 1)
    }
}

/// What was seen of a signature. All counts are of samples, each of which stands for
/// `weight` bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct Row {
    /// The site and the frames above it; `NONE` from where the context ends.
    pub path: [Place; DEPTH],
    /// Blocks freed, by their lifetime: see `age_class`.
    pub died: [u32; AGES],
    /// Blocks in use at the end, by their age: they lived at least as long.
    pub alive: [u32; AGES],
    /// Blocks that another thread freed than had them.
    pub remote: u32,
    /// Blocks that `realloc` made longer.
    pub grown: u32,
    /// The most that were in use at once.
    pub peak: u32,
    /// Size class: see `signature_class`.
    pub class: u32,
    /// Bytes asked for, all samples together.
    pub bytes: u64,
    /// Samples.
    pub samples: u64,
}

const _: () = assert!(size_of::<Row>() == 256);

impl Row {
    pub const EMPTY: Row = Row {
        path: [Place::NONE; DEPTH],
        died: [0; AGES],
        alive: [0; AGES],
        remote: 0,
        grown: 0,
        peak: 0,
        class: 0,
        bytes: 0,
        samples: 0,
    };
}

/// What the rows were seen in.
#[derive(Clone, Copy)]
pub struct Seen {
    /// Bytes from one sample to the next.
    pub mean: u64,
    /// All that was allocated, in bytes, in all runs.
    pub clock: u64,
    pub runs: u32,
}

/// The class of a lifetime, in bytes that the process allocated meanwhile: class 0 is
/// less than 8 KiB, each further one twice as long.
pub fn age_class(bytes: u64) -> usize {
    let log = bytes.max(1).ilog2();
    (log.saturating_sub(FIRST_AGE) as usize).min(AGES - 1)
}

/// Where a class of lifetimes begins, in bytes.
pub fn age_from(age: usize) -> u64 {
    if age == 0 {
        0
    } else {
        1 << (age as u32 + FIRST_AGE)
    }
}

/// The class of a request in a signature: that of the slab, or beyond it one for each
/// power of two.
pub fn signature_class(size: usize) -> usize {
    if size <= SLAB_MAX {
        class::class_of(size)
    } else {
        CLASSES + (size.ilog2() - SLAB_MAX.ilog2()) as usize
    }
}

/// Bytes that one sample of blocks of `size` bytes stands for, if one is taken every `mean`
/// bytes in the mean, at distances with an exponential distribution.
pub fn weight(size: u64, mean: u64) -> u64 {
    // size / (1 - exp(-size / mean)), by its series where that would lose digits.
    let (s, m) = (size.max(1) as f64, mean.max(1) as f64);
    let x = s / m;
    if x > 40.0 {
        size
    } else if x < 1e-3 {
        (m + s / 2.0) as u64
    } else {
        (s / (1.0 - exp(-x))) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_classes_of_twice_the_bytes() {
        assert_eq!(age_class(0), 0);
        assert_eq!(age_class(8191), 0);
        assert_eq!(age_class(8192), 1);
        assert_eq!(age_class(u64::MAX), AGES - 1);
        for age in 0..AGES {
            assert_eq!(age_class(age_from(age)), age);
        }
    }

    #[test]
    fn places_keep_their_parts() {
        let place = Place::new(3, 0x1234).expect("fits");
        assert_eq!((place.module(), place.offset()), (3, 0x1234));
        assert!(!place.is_none() && Place::NONE.is_none());
        assert_eq!(Place::new(0xffff, 0), None);
        assert_eq!(Place::new(0, 1 << 48), None);
    }

    #[test]
    fn samples_weigh_what_they_stand_for() {
        for (size, mean) in [
            (16_u64, 65536_u64),
            (4096, 65536),
            (65536, 65536),
            (1 << 20, 65536),
        ] {
            let exact = size as f64 / (1.0 - (-(size as f64) / mean as f64).exp());
            let off = weight(size, mean) as f64 / exact - 1.0;
            assert!(off.abs() < 1e-3, "{size}: {off}");
        }
    }

    #[test]
    fn classes_go_on_beyond_the_slab() {
        assert_eq!(signature_class(16), class::class_of(16));
        assert_eq!(signature_class(SLAB_MAX), CLASSES - 1);
        assert_eq!(signature_class(SLAB_MAX + 1), CLASSES);
        assert_eq!(signature_class(2 * SLAB_MAX), CLASSES + 1);
    }
}
