//! A table of answers: a minimal perfect hash of the keys, and the keys themselves to tell
//! strangers.
//!
//! The hash is that of A. Limasset, G. Rizk, R. Chikhi and P. Peterlongo, "Fast and scalable
//! minimal perfect hashing for massive key sets", 2017, as P. Beling has it in the crate `ph`
//! ("Fingerprinting-based minimal perfect hashing revisited", 2023): a level has a bit for each
//! key that is left; a key whose bit is no other's is placed there, and the others go on to the
//! next level. The place of a key is the count of bits before its own. The bytes are those that
//! `ph::fmph::Function::write` gives with `level_hash`, which the tests compare: the crate
//! itself needs `std` and threads. Counts of bits follow, so that a look need not count them all.
//!
//! Invariants, which `Table::parse` checks
//! 1. A bit of a level is set where exactly one of the keys that reach it falls.
//! 2. As many bits are set as there are keys, and the key at each place is found there.

use super::tree::{Answer, NODES, Node};
use crate::base::mix::mix;

/// Levels at most; each places more than a third of the keys that reach it, in the mean.
const LEVELS: usize = 64;
/// Levels are multiples of this, in bytes.
const WORD: usize = 8;
/// The bits before each run of so many bytes are counted in the table.
const RUN: usize = 64;
/// Levels that place no key, one after the other, at which keys are taken to be equal.
const PATIENCE: usize = 10;
/// The numbers of levels and of their words take two bytes each at most.
const SIZES_MAX: usize = 2 * (1 + LEVELS);

/// Bytes that the hash of so many keys may need while it is made, counts included.
fn hash_room(keys: usize) -> usize {
    // The bits come to 2.72 for each key in the mean; beside them stand the clashes of the first
    // and longest level.
    let bits = (3 * level_of(keys) + LEVELS) * WORD;
    SIZES_MAX + bits + bits.div_ceil(RUN) * 2 + level_of(keys) * WORD
}

/// Words of the level that has so many keys to place.
fn level_of(keys: usize) -> usize {
    keys.div_ceil(8 * WORD)
}

/// The hash of a key in a level. Both are mixed before they meet, or else keys that fall together in
/// one level would do so in the next.
fn level_hash(key: u64, level: u64) -> u64 {
    mix(mix(0, level), mix(0, key))
}

/// Where a key falls in a level of so many words.
fn bit_of(key: u64, level: usize, words: usize) -> usize {
    let hash = level_hash(key, level as u64);
    // As D. Lemire, "Fast random integer generation in an interval", 2019.
    let bits = (words * WORD * 8) as u128;
    ((u128::from(hash) * bits) >> 64) as usize
}

fn is_set(bits: &[u8], bit: usize) -> bool {
    bits[bit / 8] >> (bit % 8) & 1 != 0
}

fn ones(bits: &[u8]) -> usize {
    bits.iter().map(|byte| byte.count_ones() as usize).sum()
}

/// Seven bits a byte, the lowest first; the eighth says that more follow. Returns the length.
fn put_number(to: &mut [u8], number: usize) -> usize {
    debug_assert!(number < 1 << 14);
    if number < 0x80 {
        to[0] = number as u8;
        return 1;
    }
    to[..2].copy_from_slice(&[number as u8 | 0x80, (number >> 7) as u8]);
    2
}

/// A number, and what follows it. `None` if it could have been written shorter, or is too large.
fn take_number(text: &[u8]) -> Option<(usize, &[u8])> {
    match *text {
        [low, ref rest @ ..] if low < 0x80 => Some((low.into(), rest)),
        [low, high @ 1..0x80, ref rest @ ..] => {
            Some((usize::from(low & 0x7f) | usize::from(high) << 7, rest))
        }
        _ => None,
    }
}

/// Writes the hash of the keys of `nodes`, which are put in another order. Returns its length;
/// `None` if two keys are equal or there are more than `NODES`, or if `to` is shorter than `hash_room`.
fn build(nodes: &mut [Node], to: &mut [u8]) -> Option<usize> {
    if nodes.len() > NODES || to.len() < hash_room(nodes.len()) {
        return None;
    }
    let mut levels = [0; LEVELS];
    let (mut depth, mut left, mut at, mut in_vain) = (0, nodes.len(), SIZES_MAX, 0);
    let end = to.len() - level_of(left) * WORD;
    while left != 0 {
        let words = level_of(left);
        let level = at..at + words * WORD;
        if depth == LEVELS || level.end > end || in_vain == PATIENCE {
            return None;
        }
        let (bits, clashes) = to.split_at_mut(end);
        let (bits, clashes) = (&mut bits[level], &mut clashes[..words * WORD]);
        place(&nodes[..left], depth, bits, clashes);
        let stay = move_ahead(&mut nodes[..left], |node| {
            !is_set(bits, bit_of(node.key, depth, words))
        });
        in_vain = if stay == left { in_vain + 1 } else { 0 };
        (left, at) = (stay, at + words * WORD);
        levels[depth] = words;
        depth += 1;
    }
    let mut length = put_number(to, depth);
    for &words in &levels[..depth] {
        length += put_number(&mut to[length..], words);
    }
    to.copy_within(SIZES_MAX..at, length);
    let bits = length..length + (at - SIZES_MAX);
    let (hash, counts) = to.split_at_mut(bits.end);
    let mut before = 0_u16;
    let mut written = bits.end;
    for (run, count) in hash[bits].chunks(RUN).zip(counts.chunks_exact_mut(2)) {
        count.copy_from_slice(&before.to_le_bytes());
        before += ones(run) as u16;
        written += 2;
    }
    Some(written)
}

/// Sets the bits that one key alone falls on.
fn place(nodes: &[Node], level: usize, bits: &mut [u8], clashes: &mut [u8]) {
    bits.fill(0);
    clashes.fill(0);
    for node in nodes {
        let bit = bit_of(node.key, level, bits.len() / WORD);
        let mask = 1 << (bit % 8);
        clashes[bit / 8] |= bits[bit / 8] & mask;
        bits[bit / 8] |= mask;
    }
    for (byte, clash) in bits.iter_mut().zip(clashes) {
        *byte &= !*clash;
    }
}

/// Moves the nodes that `stay` to the front. Returns how many there are.
fn move_ahead(nodes: &mut [Node], stay: impl Fn(&Node) -> bool) -> usize {
    let mut kept = 0;
    for index in 0..nodes.len() {
        if stay(&nodes[index]) {
            nodes.swap(kept, index);
            kept += 1;
        }
    }
    kept
}

/// The hash alone: which place a key has.
#[derive(Clone, Copy)]
struct Hash<'a> {
    /// Words of each level.
    levels: [u16; LEVELS],
    depth: usize,
    bits: &'a [u8],
    counts: &'a [u8],
}

impl<'a> Hash<'a> {
    /// Reads what `build` has written, and shows what follows it.
    fn parse(text: &'a [u8]) -> Option<(Hash<'a>, &'a [u8])> {
        let (depth, mut rest) = take_number(text)?;
        let mut levels = [0; LEVELS];
        let mut words = 0;
        for level in levels.get_mut(..depth)? {
            let (size, more) = take_number(rest)?;
            (*level, rest) = (u16::try_from(size).ok().filter(|&size| size > 0)?, more);
            words += size;
        }
        let (bits, rest) = rest.split_at_checked(words * WORD)?;
        let (counts, rest) = rest.split_at_checked(bits.len().div_ceil(RUN) * 2)?;
        let hash = Hash {
            levels,
            depth,
            bits,
            counts,
        };
        let mut before = 0;
        for (index, run) in bits.chunks(RUN).enumerate() {
            if hash.count(index) != before {
                return None;
            }
            before += ones(run);
        }
        Some((hash, rest))
    }

    /// Bits before a run.
    fn count(&self, run: usize) -> usize {
        u16::from_le_bytes([self.counts[2 * run], self.counts[2 * run + 1]]).into()
    }

    /// The place of a key; that of a stranger is any, or none.
    fn place(&self, key: u64) -> Option<usize> {
        let mut start = 0;
        for (level, &words) in self.levels[..self.depth].iter().enumerate() {
            let bit = start + bit_of(key, level, words.into());
            if is_set(self.bits, bit) {
                let run = bit / 8 / RUN;
                let whole = ones(&self.bits[run * RUN..bit / 8]);
                let last = self.bits[bit / 8] & ((1 << (bit % 8)) - 1);
                return Some(self.count(run) + whole + last.count_ones() as usize);
            }
            start += usize::from(words) * WORD * 8;
        }
        None
    }
}

/// The bytes that a table of so many nodes may need while it is made.
pub fn room(nodes: usize) -> usize {
    hash_room(nodes) + nodes * (WORD + 1)
}

/// Writes a table: the hash, then the keys in the order of their places, then the answers.
/// Returns its length; `None` if two keys
/// are equal or there are more than `NODES`, or if `to` is shorter than `room`.
pub fn encode(nodes: &mut [Node], to: &mut [u8]) -> Option<usize> {
    let length = build(nodes, to)?;
    let (text, places) = to.split_at_mut(length);
    let (hash, _) = Hash::parse(text)?;
    let (keys, answers) = places.split_at_mut_checked(nodes.len() * WORD)?;
    for node in nodes.iter() {
        let place = hash.place(node.key)?;
        keys[place * WORD..][..WORD].copy_from_slice(&node.key.to_le_bytes());
        *answers.get_mut(place)? = node.answer.to_bits();
    }
    Some(length + nodes.len() * (WORD + 1))
}

/// A table, in the bytes that it was read from.
#[derive(Clone, Copy)]
pub struct Table<'a> {
    hash: Hash<'a>,
    keys: &'a [u8],
    answers: &'a [u8],
}

impl<'a> Table<'a> {
    /// Reads a table of so many nodes, and shows what follows it. All of it is checked.
    pub fn parse(text: &'a [u8], nodes: usize) -> Option<(Table<'a>, &'a [u8])> {
        if nodes > NODES {
            return None;
        }
        let (hash, rest) = Hash::parse(text)?;
        let (keys, rest) = rest.split_at_checked(nodes * WORD)?;
        let (answers, rest) = rest.split_at_checked(nodes)?;
        let table = Table {
            hash,
            keys,
            answers,
        };
        let right = |place| {
            hash.place(table.key(place)) == Some(place)
                && Answer::from_bits(answers[place]).is_some()
        };
        let whole = ones(hash.bits) == nodes && (0..nodes).all(right);
        whole.then_some((table, rest))
    }

    pub fn len(&self) -> usize {
        self.answers.len()
    }

    fn key(&self, place: usize) -> u64 {
        let mut bytes = [0; WORD];
        bytes.copy_from_slice(&self.keys[place * WORD..][..WORD]);
        u64::from_le_bytes(bytes)
    }

    /// The answer for a key, if there is one.
    pub fn answer(&self, key: u64) -> Option<Answer> {
        let place = self.hash.place(key).filter(|&place| place < self.len())?;
        match self.key(place) == key {
            true => Answer::from_bits(self.answers[place]),
            false => None,
        }
    }
}

#[cfg(test)]
mod tests;
