//! `include/lohalloc.h` is what the crate's C interface generates. `UPDATE=1` writes it anew.

use std::path::Path;
use std::{env, fs};

/// What a reader looks for first; the others follow by name.
const FIRST: [&str; 5] = [
    "entry.rs",
    "family.rs",
    "aligned.rs",
    "sized.rs",
    "report.rs",
];

fn generate(root: &Path) -> String {
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).expect("cbindgen.toml");
    let mut sources: Vec<String> = fs::read_dir(root.join("src/abi"))
        .expect("src/abi")
        .map(|entry| entry.expect("an entry of src/abi").file_name())
        .map(|name| name.into_string().expect("UTF-8"))
        .filter(|name| name.ends_with(".rs") && name != "mod.rs")
        .collect();
    sources.sort_by_key(|name| {
        (
            FIRST
                .iter()
                .position(|first| first == name)
                .unwrap_or(FIRST.len()),
            name.clone(),
        )
    });
    let mut builder = cbindgen::Builder::new().with_config(config);
    for source in sources {
        builder = builder.with_src(root.join("src/abi").join(source));
    }
    let mut text = Vec::new();
    builder
        .generate()
        .expect("a header from src/abi")
        .write(&mut text);
    String::from_utf8(text).expect("UTF-8")
}

#[test]
fn header_is_current() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("include/lohalloc.h");
    let wanted = generate(root);
    if env::var_os("UPDATE").is_some() {
        fs::write(&path, &wanted).expect("write the header");
        return;
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    let line = found
        .lines()
        .zip(wanted.lines())
        .take_while(|(found, wanted)| found == wanted)
        .count();
    assert!(
        found == wanted,
        "include/lohalloc.h differs from the source at line {}: run `make header`\n  file:   {}\n  source: {}",
        line + 1,
        found.lines().nth(line).unwrap_or("(end)"),
        wanted.lines().nth(line).unwrap_or("(end)"),
    );
}
