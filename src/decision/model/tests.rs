//! What is written is read, and nothing else.

use super::*;
use crate::decision::tree::Next;
use proptest::prelude::*;
use std::vec;
use std::vec::Vec;

fn identity(name: u8) -> Identity {
    Identity {
        bytes: [name; IDENTITY_MAX],
        len: 20,
        build_id: true,
    }
}

fn summary() -> Summary {
    Summary {
        clock: 1 << 33,
        mean: 65536,
        saved: 9 << 20,
        runs: 2,
        routed: [6, 1],
    }
}

fn written(modules: &[Identity], nodes: &[Node], rows: &[Row]) -> Vec<u8> {
    let mut text = vec![0; room(modules.len(), nodes.len(), rows.len())];
    let mut nodes = nodes.to_vec();
    let length = encode(&mut text, &summary(), modules, &mut nodes, rows).expect("room");
    text.truncate(length);
    text
}

fn node(key: u64, lane: u8) -> Node {
    Node {
        key,
        answer: Answer {
            lane,
            next: Next::Frame,
        },
    }
}

fn sample() -> Vec<u8> {
    let mut row = Row::EMPTY;
    row.path[0] = Place::new(1, 0x1234).expect("fits");
    row.died[3] = 500;
    row.alive[20] = 7;
    row.samples = 507;
    written(
        &[identity(1), identity(2)],
        &[node(77, 1), node(5, 2)],
        &[row, row],
    )
}

#[test]
fn answers_are_found_by_their_keys() {
    let text = sample();
    let model = Model::parse(&text).expect("a model");
    assert_eq!(model.answer(77).map(|answer| answer.lane), Some(1));
    assert_eq!(model.answer(5).map(|answer| answer.lane), Some(2));
    assert_eq!(model.answer(6), None);
    assert_eq!(model.summary, summary());
    assert!(model.routes(1) && model.routes(64) && !model.routes(0));
}

#[test]
fn every_cut_and_every_flipped_bit_is_refused() {
    let text = sample();
    for length in 0..text.len() {
        assert!(Model::parse(&text[..length]).is_err(), "cut to {length}");
    }
    for bit in 0..text.len() * 8 {
        let mut damaged = text.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        assert!(Model::parse(&damaged).is_err(), "bit {bit}");
    }
    let mut longer = text.clone();
    longer.push(0);
    assert!(Model::parse(&longer).is_err());
}

#[test]
fn nothing_is_left_of_a_model_that_was_written_over() {
    let text = sample();
    let mut state = 1;
    let mut random = |below: usize| {
        state = mix(state, 0);
        state as usize % below
    };
    for _ in 0..10_000 {
        let mut damaged = text.clone();
        for _ in 0..=random(8) {
            let at = random(text.len());
            damaged[at] = random(256) as u8;
        }
        damaged.truncate(text.len() - random(3) / 2);
        assert!(damaged == text || Model::parse(&damaged).is_err());
    }
}

#[test]
fn refusals_say_what_is_wrong() {
    let mut text = sample();
    assert_eq!(Model::parse(b"#!/bin/sh").err(), Some(Refusal::NotAModel));
    text[8] = 9;
    assert_eq!(Model::parse(&text).err(), Some(Refusal::Version(9)));
    let says = 1024;
    let said = |has| std::format!("{}", Refusal::Length { says, has });
    assert_eq!(said(812), "is cut off at byte 812 of 1,024");
    assert_eq!(said(1030), "is damaged: 1,030 bytes long and not 1,024");
}

proptest! {
    #[test]
    fn what_is_written_is_read(
        keys in prop::collection::btree_set(any::<u64>(), 0..50),
        rows in prop::collection::vec((prop::collection::vec((0..3usize, 0..1u64 << 48), 0..=DEPTH), 0..120u32, any::<[u32; AGES]>(), any::<[u32; AGES]>(), any::<u32>(), any::<u64>()), 0..20),
    ) {
        let modules = [identity(1), identity(2), identity(3)];
        let nodes: Vec<Node> = keys.iter().map(|&key| node(key, (key % 5) as u8)).collect();
        let rows: Vec<Row> = rows.into_iter().map(|(path, class, died, alive, number, bytes)| {
            let mut row = Row { class, died, alive, bytes, remote: number, grown: number / 2, peak: number / 3, ..Row::EMPTY };
            for (to, (module, offset)) in row.path.iter_mut().zip(path) {
                *to = Place::new(module, offset).expect("fits");
            }
            row.samples = died.iter().chain(&alive).map(|&count| u64::from(count)).sum();
            row
        }).collect();
        let text = written(&modules, &nodes, &rows);
        let model = Model::parse(&text).expect("a model");
        prop_assert_eq!(model.modules().collect::<Vec<_>>(), modules);
        prop_assert_eq!(model.rows().collect::<Vec<_>>(), rows);
        for node in &nodes {
            prop_assert_eq!(model.answer(node.key), Some(node.answer));
        }
    }

    #[test]
    fn no_bytes_do_harm(mut text in prop::collection::vec(any::<u8>(), 0..600), sealed in any::<bool>()) {
        // As far in as may be: with a header and a checksum that are right.
        if sealed && text.len() >= HEADER {
            let length = text.len() as u64;
            text[..8].copy_from_slice(&MAGIC);
            text[8..12].copy_from_slice(&VERSION.to_le_bytes());
            text[12..16].copy_from_slice(&(HEADER as u32).to_le_bytes());
            text[24..32].copy_from_slice(&length.to_le_bytes());
            text[32..40].copy_from_slice(&classes_hash().to_le_bytes());
            text[40] %= 4;
            text[41..44].fill(0);
            text[44] %= 8;
            text[45..48].fill(0);
            text[96..104].fill(0);
            let sum = checksum(&text).to_le_bytes();
            text[CHECKSUM..CHECKSUM + 8].copy_from_slice(&sum);
        }
        if let Ok(model) = Model::parse(&text) {
            let rows = model.rows().count();
            prop_assert!(rows <= model.row_count());
            model.modules().for_each(drop);
            model.answer(7);
        }
    }
}

/// The bytes that `docs/model-format.md` shows: lines of an offset, up to 16 bytes, and words.
fn shown() -> Vec<u8> {
    let page = std::concat!(std::env!("CARGO_MANIFEST_DIR"), "/docs/model-format.md");
    let text = std::fs::read_to_string(page).expect("the page");
    let example = text.split("```").find(|part| part.starts_with("hex"));
    let mut bytes = vec![];
    for line in example.expect("an example").lines().skip(1) {
        let (offset, rest) = line.split_once("  ").expect("an offset");
        assert_eq!(usize::from_str_radix(offset, 16), Ok(bytes.len()));
        let hex = rest.split("  ").next().unwrap_or_default();
        let byte = |digits| u8::from_str_radix(digits, 16).expect("a byte");
        bytes.extend(hex.split(' ').map(byte));
    }
    bytes
}

#[test]
fn the_worked_example_is_right() {
    let mut row = Row {
        class: 14,
        peak: 2,
        bytes: 12_000,
        samples: 53,
        ..Row::EMPTY
    };
    row.path[0] = Place::new(0, 0x11f0).expect("fits");
    row.died[3] = 50;
    row.alive[19] = 3;
    let nodes = [node(0x0123_4567_89ab_cdef, 1)];
    let mut module = identity(0xab);
    module.bytes[20..].fill(0);
    let text = written(&[module], &nodes, &[row]);
    // What to put in the page if the format changes.
    for (index, line) in text.chunks(16).enumerate() {
        let hex: Vec<_> = line.iter().map(|byte| std::format!("{byte:02x}")).collect();
        std::println!("{:04x}  {}", index * 16, hex.join(" "));
    }
    assert_eq!(shown(), text);
    let model = Model::parse(&text).expect("a model");
    assert_eq!(model.rows().collect::<Vec<_>>(), [row]);
}
