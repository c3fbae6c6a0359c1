//! The order of the source: arrows between modules point down only, files are short, and every
//! `unsafe` says why it is sound.

use std::fs;
use std::path::{Path, PathBuf};

/// From the bottom up: a module names itself and what stands before it.
const LAYERS: [&str; 9] = [
    "base", "sys", "options", "map", "backend", "front", "global", "abi", "tools",
];

/// Beside the layers, on `base` and `sys`; none names another, and only the layers from `front` up
/// name them.
const BESIDE: [&str; 6] = ["topology", "decision", "observer", "pools", "region", "kv"];

/// Within `backend`: each is supplied by those before it.
const BACKENDS: [(&str, usize); 4] = [("system", 0), ("buddy", 1), ("slab", 2), ("arena", 2)];

const LINES: usize = 500;

/// How far above its `unsafe` a reason may begin.
const REASON_LINES: usize = 8;

struct Source {
    /// Below `src`, with `/`.
    name: String,
    text: String,
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    collect(&root, &root, &mut found);
    assert!(!found.is_empty());
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

fn collect(root: &Path, folder: &Path, found: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).expect("a source folder") {
        let path: PathBuf = entry.expect("an entry").path();
        if path.is_dir() {
            collect(root, &path, found);
        } else if path
            .extension()
            .is_some_and(|end| ["rs", "cpp", "h", "c"].iter().any(|known| end == *known))
        {
            let name = path.strip_prefix(root).expect("below src");
            found.push(Source {
                name: name.to_string_lossy().replace('\\', "/"),
                text: fs::read_to_string(&path).expect("a source file"),
            });
        }
    }
}

fn rust_sources() -> Vec<Source> {
    let mut all = sources();
    all.retain(|source| source.name.ends_with(".rs"));
    all
}

/// `base/bits.rs` → `["base", "bits"]`; `base/mod.rs` → `["base"]`.
fn module(name: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = name.trim_end_matches(".rs").split('/').collect();
    if parts.last() == Some(&"mod") {
        parts.pop();
    }
    parts
}

/// The line without its comment; good enough for paths, which no string here holds.
fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or_default()
}

fn identifier(text: &str) -> &str {
    let end = text
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(text.len());
    &text[..end]
}

/// The names that follow `prefix` on a line, a braced list included.
fn named<'a>(line: &'a str, prefix: &str) -> Vec<&'a str> {
    let mut names = Vec::new();
    for (at, _) in line.match_indices(prefix) {
        let before = line[..at].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        let rest = &line[at + prefix.len()..];
        if let Some(list) = rest.strip_prefix('{') {
            let mut depth = 0;
            let mut start = true;
            for (index, c) in list.char_indices() {
                if start && c.is_alphabetic() && depth == 0 {
                    names.push(identifier(&list[index..]));
                    start = false;
                }
                match c {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    ',' if depth == 0 => start = true,
                    _ => {}
                }
            }
        } else {
            names.push(identifier(rest));
        }
    }
    names
}

fn rank(layer: &str) -> Option<usize> {
    LAYERS.iter().position(|known| *known == layer)
}

/// Whether a module of `from` may name one of `to`.
fn may_name(from: &str, to: &str) -> bool {
    if from == to {
        return true;
    }
    match (rank(from), rank(to)) {
        (Some(from), Some(to)) => to < from,
        (Some(from), None) if BESIDE.contains(&to) => from >= rank("front").unwrap(),
        (None, _) if BESIDE.contains(&from) => ["base", "sys"].contains(&to),
        // What is no module is an item of the crate root.
        _ => !BESIDE.contains(&to) && rank(to).is_none(),
    }
}

fn report(wrong: Vec<String>, what: &str) {
    assert!(wrong.is_empty(), "{what}:\n  {}", wrong.join("\n  "));
}

/// Statements of several lines are joined, so that a braced list is seen whole.
fn statements(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for (index, line) in text.lines().enumerate() {
        let line = code(line);
        let (at, mut whole) = open.take().unwrap_or((index + 1, String::new()));
        whole.push_str(line.trim_start());
        let starts_use = whole.starts_with("use ") || whole.contains(" use ");
        if starts_use && !whole.contains(';') {
            open = Some((at, whole));
        } else {
            found.push((at, whole));
        }
    }
    found
}

#[test]
fn modules_are_known() {
    let mut wrong = Vec::new();
    for source in rust_sources() {
        let top = module(&source.name)[0].to_owned();
        if top != "lib" && rank(&top).is_none() && !BESIDE.contains(&top.as_str()) {
            wrong.push(format!("src/{} is in no layer", source.name));
        }
    }
    report(wrong, "every module has its place in the order of layers");
}

#[test]
fn arrows_point_down() {
    let mut wrong = Vec::new();
    for source in rust_sources() {
        let here = module(&source.name);
        if here == ["lib"] {
            continue;
        }
        for (line, text) in statements(&source.text) {
            for to in named(&text, "crate::") {
                if !may_name(here[0], to) {
                    wrong.push(format!("src/{}:{line} names crate::{to}", source.name));
                }
            }
        }
    }
    report(wrong, "a layer names only those below it");
}

#[test]
fn backends_are_supplied_from_below() {
    let order = |name: &str| BACKENDS.iter().find(|(known, _)| *known == name);
    let mut wrong = Vec::new();
    for source in rust_sources() {
        let here = module(&source.name);
        let Some((name, height)) = here
            .get(1)
            .filter(|_| here[0] == "backend")
            .and_then(|n| order(n))
        else {
            continue;
        };
        for (line, text) in statements(&source.text) {
            let mut others = named(&text, "crate::backend::");
            if here.len() == 2 {
                others.extend(named(&text, "super::"));
            }
            for other in others {
                if let Some((to, below)) = order(other)
                    && to != name
                    && below >= height
                {
                    wrong.push(format!("src/{}:{line} names {to}", source.name));
                }
            }
        }
    }
    report(
        wrong,
        "system supplies buddy, buddy supplies slab and arena",
    );
}

/// A relative path could climb past the top of its layer and name another unseen.
#[test]
fn relative_paths_stay_in_their_layer() {
    let mut wrong = Vec::new();
    for source in rust_sources() {
        let depth = module(&source.name).len();
        for (index, line) in source.text.lines().enumerate() {
            let climbs = code(line).matches("super::").count();
            let inner = usize::from(line.starts_with(' '));
            if code(line).contains(&"super::".repeat(depth + inner)) && climbs >= depth + inner {
                wrong.push(format!("src/{}:{}", source.name, index + 1));
            }
        }
    }
    report(wrong, "write crate:: for a path that leaves its layer");
}

#[test]
fn files_are_short() {
    let mut wrong = Vec::new();
    for source in sources() {
        let lines = source.text.lines().count();
        if lines >= LINES {
            wrong.push(format!("src/{} has {lines} lines", source.name));
        }
    }
    report(wrong, "a file has less than 500 lines");
}

#[test]
fn unsafe_code_says_why() {
    let mut wrong = Vec::new();
    for source in rust_sources() {
        let lines: Vec<&str> = source.text.lines().collect();
        for (index, line) in lines.iter().enumerate() {
            let text = code(line);
            if !text.contains("unsafe {") && !text.contains("unsafe impl") {
                continue;
            }
            let from = index.saturating_sub(REASON_LINES);
            if !lines[from..=index]
                .iter()
                .any(|line| line.contains("SAFETY:"))
            {
                wrong.push(format!("src/{}:{}", source.name, index + 1));
            }
        }
    }
    report(
        wrong,
        "a `// SAFETY:` comment stands above every unsafe block and impl",
    );
}
