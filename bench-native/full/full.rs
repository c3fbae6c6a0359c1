//! What does each pattern of a public comparison of allocators cost a Rust program, by the containers of
//! the standard library and the system's allocator?
//!
//!     full-rust ROW [THREADS]
//!
//! The rows are those of full.c.

use std::collections::HashMap;
use std::hint::black_box;
use std::sync::{Barrier, Mutex};
use std::thread;

const KIB: usize = 1 << 10;
const MIB: usize = 1 << 20;

unsafe extern "C" {
    safe fn full_end() -> i32;
}

/// Xorshift64, G. Marsaglia 2003
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((u128::from(self.0) * bound as u128) >> 64) as usize
    }

    fn between(&mut self, least: usize, most: usize) -> usize {
        least + self.below(most - least + 1)
    }
}

type Block = Vec<u8>;

/// A block with its first and last byte, and each OS page between them, written to.
fn take(size: usize) -> Block {
    let mut block = Block::with_capacity(size);
    for page in block.spare_capacity_mut().chunks_mut(4096) {
        page[0].write(1);
    }
    block.spare_capacity_mut()[size - 1].write(1);
    black_box(block)
}

/// The old block goes before the new one comes, as in C.
fn replace(at: &mut Block, size: usize) {
    *at = Block::new();
    *at = take(size);
}

fn empty(count: usize) -> Vec<Block> {
    vec![Block::new(); count]
}

fn slab(turns: usize) {
    let mut window = empty(64);
    for i in 0..turns {
        replace(&mut window[i % 64], 208);
    }
}

fn arena() {
    let mut random = Random(1);
    for _ in 0..20000 {
        let blocks: Vec<Block> = (0..500).map(|_| take(random.between(16, 256))).collect();
        black_box(blocks);
    }
}

fn buddy() {
    let mut random = Random(1);
    let (mut window, mut live) = (empty(16), empty(1000));
    for i in 0..100 * live.len() {
        let size = random.between(32 * KIB, 256 * KIB);
        match i % 100 {
            0 => replace(&mut live[i / 100], size),
            _ => replace(&mut window[i % 16], size),
        }
    }
}

fn system() {
    let mut window = empty(4);
    for i in 0..1000 {
        let size = if i % 3 == 0 { 8 * MIB } else { 2 * MIB };
        let at = &mut window[i % 4];
        replace(at, size);
        at.resize(size, 1);
        black_box(at);
    }
}

fn mixed(turns: usize, least: usize, most: usize, seed: u64) {
    let mut random = Random(seed);
    let mut slots = empty(256);
    for _ in 0..turns {
        let at = random.below(slots.len());
        replace(&mut slots[at], random.between(least, most));
    }
}

fn request_loop() {
    let mut random = Random(1);
    for _ in 0..500_000 {
        let blocks: [Block; 22] = std::array::from_fn(|i| match i {
            0..20 => take(random.between(16, 256)),
            _ => take(random.between(4 * KIB, 64 * KIB)),
        });
        black_box(blocks);
    }
}

#[allow(dead_code)]
struct Node {
    key: String,
    members: Vec<Box<Node>>,
}

fn build(random: &mut Random, depth: u32) -> Box<Node> {
    let key = "k".repeat(random.between(8, 80));
    let mut members = Vec::new();
    for _ in 0..if depth > 0 { 7 } else { 0 } {
        members.push(build(random, depth - 1));
    }
    Box::new(Node { key, members })
}

fn json_tree() {
    let mut random = Random(1);
    for _ in 0..100 {
        black_box(build(&mut random, 5));
    }
}

fn kv_store() {
    let mut random = Random(1);
    let mut store = HashMap::new();
    for _ in 0..4_000_000 {
        let at = store.entry(random.below(16384)).or_default();
        replace(at, random.between(8, 512));
    }
}

/// Runs `body` in threads 0 to `threads` - 1 and waits for all.
fn in_threads(threads: usize, body: impl Fn(usize) + Sync) {
    thread::scope(|scope| {
        for me in 0..threads {
            let body = &body;
            scope.spawn(move || body(me));
        }
    });
}

fn xfree(threads: usize) {
    const PASSED: usize = 1000;
    let boxes: Vec<[Mutex<Vec<Block>>; 2]> = (0..threads)
        .map(|_| [Mutex::new(empty(PASSED)), Mutex::new(empty(PASSED))])
        .collect();
    let all = Barrier::new(threads);
    in_threads(threads, |me| {
        let mut random = Random(1 + me as u64);
        for round in 0..6000 / threads {
            for block in boxes[me][round % 2].lock().unwrap().iter_mut() {
                *block = take(random.between(16, 512));
            }
            all.wait();
            let neighbour = &boxes[(me + 1) % threads][round % 2];
            for block in neighbour.lock().unwrap().iter_mut() {
                *block = Block::new();
            }
        }
    });
}

fn interfere(threads: usize) {
    in_threads(threads, |me| match me {
        0 => mixed(20000, 64 * KIB, MIB, 1),
        _ => mixed(6_000_000 / (threads - 1), 16, 256, 1 + me as u64),
    });
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let row = arguments.get(1).map_or("", String::as_str);
    let threads = arguments.get(2).map_or(1, |n| n.parse().unwrap());
    match row {
        "slab" => slab(12_000_000),
        "arena" => arena(),
        "buddy" => buddy(),
        "system" => system(),
        "adv-mixed" => mixed(2_000_000, KIB, 64 * KIB, 1),
        "request-loop" => request_loop(),
        "json-tree" => json_tree(),
        "kv-store" => kv_store(),
        "mt-slab" => in_threads(threads, |_| slab(12_000_000 / threads)),
        "mt-mixed" => in_threads(threads, |me| {
            mixed(4_000_000 / threads, 16, 4 * KIB, 1 + me as u64)
        }),
        "mt-xfree" => xfree(threads),
        "mt-interfere" => interfere(threads),
        _ => panic!("no such row: {row}"),
    }
    std::process::exit(full_end());
}
