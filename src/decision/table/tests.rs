//! The hash is that of the crate `ph`, byte by byte, and finds what was put in and nothing else.

use super::*;
use crate::decision::tree::Next;
use ph::BuildSeededHasher;
use ph::fmph::{BuildConf, Function};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::hash::Hasher;
use std::vec;
use std::vec::Vec;

/// The hash of a level, as `ph` asks for it.
struct Levels;

struct Level(u64);

impl Hasher for Level {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are words");
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = level_hash(key, self.0);
    }
}

impl BuildSeededHasher for Levels {
    type Hasher = Level;

    fn build_hasher(&self, seed: u64) -> Level {
        Level(seed)
    }
}

fn function_of(keys: &[u64]) -> Function<Levels> {
    let conf = BuildConf::hash_lsize_mt(Levels, 100, false);
    Function::from_slice_with_conf(keys, conf)
}

fn nodes_of(keys: &[u64]) -> Vec<Node> {
    let answer = |key: u64| Answer {
        lane: (key % 5) as u8,
        next: Next::Frame,
    };
    let node = |&key: &u64| Node {
        key,
        answer: answer(key),
    };
    keys.iter().map(node).collect()
}

fn table_of(keys: &[u64]) -> Vec<u8> {
    let mut text = vec![0xa5; room(keys.len())];
    let length = encode(&mut nodes_of(keys), &mut text).expect("keys that differ");
    text.truncate(length);
    text
}

/// Words at random, from a seed.
fn words(seed: u64) -> impl Iterator<Item = u64> {
    (1..).map(move |word| mix(mix(0, seed), word))
}

fn keys_of(seed: u64, count: usize) -> Vec<u64> {
    words(seed).take(count).collect()
}

impl<'a> Table<'a> {
    /// All of it, in the order of places.
    fn nodes(self) -> impl Iterator<Item = Node> + use<'a> {
        (0..self.len()).filter_map(move |place| {
            let answer = Answer::from_bits(self.answers[place])?;
            Some(Node {
                key: self.key(place),
                answer,
            })
        })
    }
}

fn is_as_in_ph(keys: &[u64]) {
    let mut text = vec![0xa5; hash_room(keys.len())];
    let length = build(&mut nodes_of(keys), &mut text).expect("keys that differ");
    let function = function_of(keys);
    let mut theirs = vec![];
    function.write(&mut theirs).expect("memory");
    let counts = length - theirs.len();
    assert_eq!(&text[..theirs.len()], theirs, "{} keys", keys.len());
    let (hash, rest) = Hash::parse(&text[..length]).expect("a hash");
    assert_eq!((hash.counts.len(), rest.len()), (counts, 0));
    for &key in keys {
        assert_eq!(
            hash.place(key).map(|place| place as u64),
            function.get(&key)
        );
    }
}

#[test]
fn the_bytes_are_those_of_ph() {
    for seed in 0..2000 {
        for count in [0, 1, 2, 100] {
            is_as_in_ph(&keys_of(seed, count));
        }
    }
    for seed in 0..4 {
        is_as_in_ph(&keys_of(seed, NODES));
    }
}

#[test]
fn keys_with_a_pattern_are_no_harder() {
    is_as_in_ph(&(0..NODES as u64).collect::<Vec<_>>());
    is_as_in_ph(&(0..NODES as u64).map(|key| key << 40).collect::<Vec<_>>());
    is_as_in_ph(&(0..64).map(|bit| 1 << bit).collect::<Vec<_>>());
}

#[test]
fn equal_keys_and_too_many_are_refused() {
    let mut text = vec![0; room(2 * NODES)];
    assert_eq!(encode(&mut nodes_of(&[7, 8, 7]), &mut text), None);
    let keys = keys_of(1, NODES + 1);
    assert_eq!(encode(&mut nodes_of(&keys), &mut text), None);
    assert_eq!(encode(&mut nodes_of(&[1]), &mut text[..20]), None);
}

#[test]
fn a_table_of_another_count_or_order_is_refused() {
    let keys = keys_of(3, 100);
    let text = table_of(&keys);
    assert!(Table::parse(&text, 100).is_some());
    assert!(Table::parse(&text, 99).is_none());
    assert!(Table::parse(&text, 101).is_none());
    let mut swapped = text.clone();
    let first = text.len() - 100 * (WORD + 1);
    swapped.copy_within(first..first + WORD, first + WORD);
    assert!(Table::parse(&swapped, 100).is_none(), "a key twice");
}

proptest! {
    #[test]
    fn what_is_put_in_is_found(keys in prop::collection::btree_set(any::<u64>(), 0..400)) {
        let keys: Vec<u64> = keys.into_iter().collect();
        let text = table_of(&keys);
        let (table, rest) = Table::parse(&text, keys.len()).expect("a table");
        prop_assert!(rest.is_empty());
        for node in nodes_of(&keys) {
            prop_assert_eq!(table.answer(node.key), Some(node.answer));
        }
        for stranger in words(9).take(1000).filter(|key| !keys.contains(key)) {
            prop_assert_eq!(table.answer(stranger), None);
        }
        let found: BTreeSet<u64> = table.nodes().map(|node| node.key).collect();
        prop_assert!(found.into_iter().eq(keys));
    }

    #[test]
    fn the_order_does_not_matter(seed in any::<u64>(), count in 0..500usize) {
        let mut keys = keys_of(seed, count);
        let text = table_of(&keys);
        keys.reverse();
        prop_assert_eq!(table_of(&keys), text);
    }

    #[test]
    fn no_bytes_do_harm(text in prop::collection::vec(any::<u8>(), 0..300), nodes in 0..20usize) {
        if let Some((table, _)) = Table::parse(&text, nodes) {
            table.answer(7);
            table.nodes().for_each(drop);
        }
    }

    #[test]
    fn damage_is_refused_or_harmless(at in any::<prop::sample::Index>(), byte in any::<u8>(), seed in any::<u64>()) {
        let mut text = table_of(&keys_of(seed, 70));
        let at = at.index(text.len());
        text[at] = byte;
        if let Some((table, _)) = Table::parse(&text, 70) {
            prop_assert_eq!(table.nodes().filter(|node| table.answer(node.key).is_some()).count(), 70);
        }
    }
}
