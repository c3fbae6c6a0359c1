# A crate of the machine's own is built, tested and run without the network; the compiler brings its own malloc.
# needs: cargo
# The toolchain of rustup lies in the real home.
home=$(getent passwd "$(id -u)" | cut -d: -f6)
[ -d "${RUSTUP_HOME:-$home/.rustup}" ] && export RUSTUP_HOME=${RUSTUP_HOME:-$home/.rustup}
unset CARGO_TARGET_DIR RUSTFLAGS CARGO_ENCODED_RUSTFLAGS CARGO_BUILD_TARGET
export CARGO_HOME=$PWD/cargo-home CARGO_NET_OFFLINE=true CARGO_INCREMENTAL=0 CARGO_TERM_COLOR=never
mkdir -p crate/src
cat >crate/Cargo.toml <<'T'
[package]
name = "words"
version = "0.1.0"
edition = "2021"
T
cat >crate/src/main.rs <<'R'
use std::collections::{BTreeMap, HashMap};
use std::thread;
fn count(seed: usize) -> BTreeMap<String, usize> {
    let mut words = HashMap::new();
    for i in 0..50_000usize {
        *words.entry(format!("word{}", i.wrapping_mul(seed) % 997)).or_insert(0) += i;
    }
    words.into_iter().collect()
}
fn main() {
    let threads: Vec<_> = (1..5).map(|seed| thread::spawn(move || count(seed))).collect();
    for thread in threads {
        let words = thread.join().unwrap();
        println!("{} {:?}", words.len(), words.iter().nth(17).unwrap());
    }
}
#[test]
fn counts() {
    assert_eq!(count(3).len(), 997);
}
R
cd crate
run cargo build --quiet --release
run target/release/words
run cargo test --quiet 2>&1 | grep -o 'test result: ok. 1 passed'
run cargo metadata --format-version 1 --no-deps | cksum
run cargo check --quiet --message-format=short 2>&1
echo 'fn broken() -> u32 { "text" }' >>src/main.rs
run cargo check --quiet --message-format=short 2>&1 | head -1
