//! Knobs of glibc's allocator that programs turn.

use crate::front::purge::purge;
use core::ffi::c_int;

/// Gives memory that is kept for later back to the system. What stays does not depend on
/// the argument: no memory lies in front of a break. 1 if anything went back, else 0.
///
/// cbindgen:ignore
#[unsafe(no_mangle)]
extern "C" fn lohalloc_malloc_trim(_pad: usize) -> c_int {
    c_int::from(purge())
}

/// The parameters that glibc and SVID know, M_ARENA_MAX to M_KEEP, and 0, which is none.
const KNOWN: core::ops::RangeInclusive<c_int> = -8..=4;
const M_MXFAST: c_int = 1;
const M_MMAP_THRESHOLD: c_int = -3;
/// The largest value of M_MXFAST: 80 * sizeof(size_t) / 4.
const MXFAST_MAX: c_int = 20 * size_of::<usize>() as c_int;
/// The largest value of M_MMAP_THRESHOLD.
const MMAP_THRESHOLD_MAX: c_int = 32 << 20;

/// Takes every parameter and value that glibc takes, and does nothing: there is nothing
/// here that they are about. 1 if they are known, else 0.
///
/// cbindgen:ignore
#[unsafe(no_mangle)]
extern "C" fn lohalloc_mallopt(parameter: c_int, value: c_int) -> c_int {
    let known = match parameter {
        0 => false,
        M_MXFAST => (0..=MXFAST_MAX).contains(&value),
        M_MMAP_THRESHOLD => (0..=MMAP_THRESHOLD_MAX).contains(&value),
        _ => KNOWN.contains(&parameter),
    };
    c_int::from(known)
}
