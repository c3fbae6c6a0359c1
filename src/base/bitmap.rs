//! A bitmap over the slices of a segment.

/// Bits in a map.
pub const BITS: usize = 512;
const WORDS: usize = BITS / 64;

pub struct Bitmap([u64; WORDS]);

/// The bits of word `word` that lie in `from..to`.
fn mask(word: usize, from: usize, to: usize) -> u64 {
    let low = from.saturating_sub(word * 64).min(64) as u32;
    let high = to.saturating_sub(word * 64).min(64) as u32;
    let below = |n: u32| if n == 64 { u64::MAX } else { (1u64 << n) - 1 };
    below(high) & !below(low)
}

impl Bitmap {
    pub const fn new() -> Self {
        Bitmap([0; WORDS])
    }

    /// Sets or clears the bits `from..to`.
    pub fn fill(&mut self, from: usize, to: usize, value: bool) {
        for word in from / 64..to.div_ceil(64) {
            let mask = mask(word, from, to);
            match value {
                true => self.0[word] |= mask,
                false => self.0[word] &= !mask,
            }
        }
    }

    /// How many of the bits `from..to` are set.
    pub fn count(&self, from: usize, to: usize) -> usize {
        (from / 64..to.div_ceil(64))
            .map(|word| (self.0[word] & mask(word, from, to)).count_ones() as usize)
            .sum()
    }

    /// Moves the set bits of `from..to` to `other`.
    pub fn move_to(&mut self, other: &mut Bitmap, from: usize, to: usize) {
        for word in from / 64..to.div_ceil(64) {
            let moved = self.0[word] & mask(word, from, to);
            self.0[word] &= !moved;
            other.0[word] |= moved;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn agrees_with_an_array(ops in prop::collection::vec((0..BITS, 0..=BITS, any::<bool>()), 1..40)) {
            let mut map = Bitmap::new();
            let mut shadow = [false; BITS];
            for (a, b, value) in ops {
                let (from, to) = (a.min(b), a.max(b));
                map.fill(from, to, value);
                shadow[from..to].fill(value);
                prop_assert_eq!(map.count(0, BITS), shadow.iter().filter(|&&x| x).count());
                prop_assert_eq!(map.count(from, to), if value { to - from } else { 0 });
                let mut other = Bitmap::new();
                map.move_to(&mut other, from, to);
                prop_assert_eq!(map.count(from, to), 0);
                prop_assert_eq!(other.count(0, BITS), if value { to - from } else { 0 });
                other.move_to(&mut map, 0, BITS);
            }
        }
    }
}
