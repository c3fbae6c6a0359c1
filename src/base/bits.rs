//! Rounding to powers of two.

/// Rounds `n` up to a multiple of `to`, a power of two. `None` on overflow.
#[inline]
pub const fn round_up(n: usize, to: usize) -> Option<usize> {
    debug_assert!(to.is_power_of_two());
    match n.checked_add(to - 1) {
        Some(sum) => Some(sum & !(to - 1)),
        None => None,
    }
}

/// Rounds `n` down to a multiple of `to`, a power of two.
#[inline]
pub const fn round_down(n: usize, to: usize) -> usize {
    debug_assert!(to.is_power_of_two());
    n & !(to - 1)
}

/// The largest power of two that divides `n`, which is not 0.
#[inline]
pub const fn low_bit(n: usize) -> usize {
    n & n.wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding() {
        assert_eq!(round_up(0, 16), Some(0));
        assert_eq!(round_up(1, 16), Some(16));
        assert_eq!(round_up(16, 16), Some(16));
        assert_eq!(round_up(usize::MAX - 3, 16), None);
        assert_eq!(round_down(31, 16), 16);
        assert_eq!(low_bit(48), 16);
        assert_eq!(low_bit(4096), 4096);
    }
}
