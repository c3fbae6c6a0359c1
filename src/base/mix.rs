//! Hashes of 64 bits: the same in every process, on every machine.

/// Mixes `word` into `hash` by shifts, exclusive ors and one multiplication
/// (xorshift*: S. Vigna, "An experimental exploration of Marsaglia's xorshift generators,
/// scrambled", 2016). Never 0, so that 0 can mark what is empty.
#[inline]
pub const fn mix(hash: u64, word: u64) -> u64 {
    let mut x = hash.rotate_left(23) ^ word ^ 0x9e37_79b9_7f4a_7c15;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    x = x.wrapping_mul(0x2545_f491_4f6c_dd1d);
    x ^= x >> 29;
    if x == 0 { 1 } else { x }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn small_words_give_different_hashes() {
        let hashes: BTreeSet<u64> = (0..100_000).map(|word| mix(7, word)).collect();
        assert_eq!(hashes.len(), 100_000);
        assert!(!hashes.contains(&0));
    }

    #[test]
    fn the_order_of_words_counts() {
        assert_ne!(mix(mix(0, 1), 2), mix(mix(0, 2), 1));
    }
}
