//! The fast paths as a list of instruction kinds, held against a golden list: a
//! change of the compiler or of the source that lengthens a path shows as a diff.

use crate::Verdict;
use crate::arms;
use crate::disassembly::{Disassembly, Instruction};
use anyhow::{Context, Result};
use clap::Args;
use regex::Regex;
use similar::TextDiff;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    arms: arms::Choice,
    /// Write what is there now as the golden list of this architecture
    #[arg(long)]
    update: bool,
    /// Print the paths and compare nothing
    #[arg(long, conflicts_with = "update")]
    print: bool,
}

const FUNCTIONS: [(&str, &str); 6] = [
    ("malloc", "malloc"),
    ("free", "free"),
    ("calloc", "calloc"),
    ("realloc", "realloc"),
    ("operator new", "_Znwm"),
    ("operator delete", "_ZdlPv"),
];

pub fn run(root: &Path, options: &Options) -> Result<Verdict> {
    let library = arms::library_of_ours(root, &options.arms);
    let disassembly = Disassembly::of(&library)?;
    let arch = std::env::consts::ARCH;
    let mut now = Vec::new();
    for (title, symbol) in FUNCTIONS {
        let path = fast_path(&disassembly, Disassembly::exported(&library, symbol)?);
        now.push((format!("[{arch} {title}]"), path));
    }
    let golden_path = root.join("bench-native/fast_path.golden");
    let golden = fs::read_to_string(&golden_path).unwrap_or_default();
    let mut sections = sections(&golden);
    if options.print {
        print!("{}", text(now.iter().map(|(head, path)| (head, path))));
        return Ok(Verdict::Met);
    }
    if options.update {
        sections.retain(|head, _| !head.starts_with(&format!("[{arch} ")));
        sections.extend(now);
        fs::write(&golden_path, text(&sections))
            .with_context(|| golden_path.display().to_string())?;
        return Ok(Verdict::Met);
    }
    compare(&now, &sections)
}

fn compare(
    now: &[(String, Vec<String>)],
    golden: &BTreeMap<String, Vec<String>>,
) -> Result<Verdict> {
    let mut verdict = Verdict::Met;
    for (head, path) in now {
        let was = golden.get(head).map(Vec::as_slice).unwrap_or_default();
        println!("{head} {} instructions", path.len());
        if was != path.as_slice() {
            verdict = Verdict::Missed;
            let (was_text, is_text) = (joined(was), joined(path));
            let diff = TextDiff::from_lines(&was_text, &is_text);
            print!("{}", diff.unified_diff().header("golden", "now"));
        }
    }
    if verdict == Verdict::Missed {
        println!("\nThe fast path differs from bench-native/fast_path.golden.");
        println!("If that is meant, write the new one: bench-native/fast-path --update");
    }
    Ok(verdict)
}

fn joined(path: &[String]) -> String {
    path.iter().map(|line| format!("{line}\n")).collect()
}

fn sections(text: &str) -> BTreeMap<String, Vec<String>> {
    let mut sections = BTreeMap::new();
    let mut head = None;
    for line in text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        if line.starts_with('[') {
            head = Some(line.to_owned());
            sections.insert(line.to_owned(), Vec::new());
        } else if let Some(head) = &head {
            sections
                .entry(head.clone())
                .or_insert_with(Vec::new)
                .push(line.to_owned());
        }
    }
    sections
}

fn text<'a>(sections: impl IntoIterator<Item = (&'a String, &'a Vec<String>)>) -> String {
    let mut text = String::from(
        "# Kinds of instructions on the fast paths: conditional branches not taken.\n",
    );
    for (head, path) in sections {
        text += &format!("\n{head}\n{}", joined(path));
    }
    text
}

/// The instructions from `start` on, with unconditional jumps followed and
/// conditional branches not taken, until the function returns or leaves the path.
fn fast_path(code: &Disassembly, start: u64) -> Vec<String> {
    let mut path = Vec::new();
    let mut seen = BTreeSet::new();
    let mut at = start;
    while let Some(instruction) = code.code.get(&at) {
        if !seen.insert(at) {
            path.push("(loop)".to_owned());
            break;
        }
        match flow(instruction) {
            Flow::On => path.push(kind(instruction)),
            Flow::Padding => {}
            Flow::Jump(target) if !is_cold(code.function(target)) => {
                path.push(instruction.mnemonic.clone())
            }
            Flow::Jump(target) | Flow::Call(target) => {
                path.push(format!(
                    "{} {}",
                    instruction.mnemonic,
                    without_hash(code.function(target))
                ));
                break;
            }
            Flow::End => {
                path.push(kind(instruction));
                break;
            }
        }
        at = match flow(instruction) {
            Flow::Jump(target) => target,
            _ => match code.code.range(at + 1..).next() {
                Some((next, _)) => *next,
                None => break,
            },
        };
    }
    path
}

enum Flow {
    On,
    Padding,
    Jump(u64),
    Call(u64),
    End,
}

fn flow(instruction: &Instruction) -> Flow {
    let target = || {
        let address = instruction.operands.split_whitespace().next()?;
        u64::from_str_radix(address.trim_start_matches("0x"), 16).ok()
    };
    match instruction.mnemonic.as_str() {
        "jmp" | "b" => target().map_or(Flow::End, Flow::Jump),
        "call" | "bl" => target().map_or(Flow::End, Flow::Call),
        "ret" | "retq" | "br" | "blr" | "braa" | "retaa" | "ud2" | "udf" | "hlt" | "brk" => {
            Flow::End
        }
        "nop" | "nopw" | "nopl" => Flow::Padding,
        _ => Flow::On,
    }
}

/// Functions outside the fast path say so by their names, or are other libraries'.
fn is_cold(function: &str) -> bool {
    function.ends_with("@plt") || function.contains("cold") || function.contains("slow")
}

/// Demangled names end in a hash that every build changes.
fn without_hash(name: &str) -> String {
    static HASH: LazyLock<Regex> =
        LazyLock::new(|| Regex::new("::h[0-9a-f]{16}$").expect("a constant"));
    HASH.replace(name, "").into_owned()
}

/// `mov rax,QWORD PTR fs:[rdi+0x8]` becomes `mov r,fs:[m]`.
fn kind(instruction: &Instruction) -> String {
    static MEMORY: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?:[A-Z]+ (?:PTR|BCST) )?(?:(fs|gs):|[a-z]s:)?(?:\[[^\]]*\]!?|0x[0-9a-f]+\b)")
            .expect("a constant")
    });
    let operands = instruction.operands.split(" <").next().unwrap_or_default(); // no names of targets
    let with_memory = if operands.contains(['[', ':']) {
        MEMORY.replace_all(operands, |found: &regex::Captures| {
            let text = &found[0];
            match found.get(1) {
                Some(segment) => format!("{}:[m]", segment.as_str()),
                None if text.starts_with("0x") => "i".to_owned(),
                None => "[m]".to_owned(),
            }
        })
    } else {
        operands.into()
    };
    let operands: Vec<String> = with_memory
        .split(',')
        .map(|operand| operand_kind(operand.trim()))
        .collect();
    if is_branch(&instruction.mnemonic) {
        // Compare-and-branch of aarch64 names registers and bits before the target.
        let kept = &operands[..operands.len() - 1];
        return format!("{} {}", instruction.mnemonic, kept.join(","))
            .trim_end()
            .to_owned();
    }
    format!("{} {}", instruction.mnemonic, operands.join(","))
        .trim_end()
        .to_owned()
}

fn is_branch(mnemonic: &str) -> bool {
    (mnemonic.starts_with('j') && mnemonic != "jmp")
        || mnemonic.starts_with("b.")
        || ["cbz", "cbnz", "tbz", "tbnz"].contains(&mnemonic)
}

fn operand_kind(operand: &str) -> String {
    let first = operand.chars().next();
    match first {
        None => String::new(),
        Some(_) if operand.ends_with("[m]") || operand == "i" => operand.to_owned(),
        Some('#' | '0'..='9' | '-') => "i".to_owned(),
        // A shift of aarch64 carries its distance: `lsl #3`.
        Some(_) if operand.contains(" #") => {
            format!("{} i", operand.split(' ').next().unwrap_or_default())
        }
        Some('x' | 'y' | 'z') if operand.contains("mm") => "x".to_owned(),
        Some('q' | 'v' | 'd' | 's') if operand[1..].starts_with(|c: char| c.is_ascii_digit()) => {
            "x".to_owned()
        }
        Some(_) if CONDITIONS.contains(&operand) => operand.to_owned(),
        Some(_) => "r".to_owned(),
    }
}

/// Operands of aarch64's conditional selects and compares.
const CONDITIONS: [&str; 14] = [
    "eq", "ne", "hs", "lo", "cs", "cc", "mi", "pl", "hi", "ls", "ge", "lt", "gt", "le",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn kind_of(line: &str) -> String {
        let (mnemonic, operands) = line.split_once(' ').unwrap_or((line, ""));
        kind(&Instruction {
            mnemonic: mnemonic.to_owned(),
            operands: operands.to_owned(),
        })
    }

    #[test]
    fn operands_become_kinds() {
        for (line, expected) in [
            ("mov rax,QWORD PTR fs:[rdi]", "mov r,fs:[m]"),
            ("mov rax,QWORD PTR fs:0x0", "mov r,fs:[m]"),
            ("mov rax,QWORD PTR [rip+0x2fe1]", "mov r,[m]"),
            ("cmp BYTE PTR [rax+rcx*8-0x8],0x10", "cmp [m],i"),
            ("shr rdi,0x10", "shr r,i"),
            ("lea rcx,[rdi+0x7]", "lea r,[m]"),
            ("je 1046 <malloc+0x26>", "je"),
            ("movups XMMWORD PTR [rax],xmm0", "movups [m],x"),
            ("ret", "ret"),
            ("jmp QWORD PTR [rip+0x2fe2]", "jmp [m]"),
            ("ldr x8, [x0, #8]!", "ldr r,[m]"),
            ("ldp x29, x30, [sp], #16", "ldp r,r,[m],i"),
            ("add x8, x9, x10, lsl #3", "add r,r,r,lsl i"),
            ("cbz x0, 1234 <free+0x8>", "cbz r"),
            ("tbnz w0, #3, 1234 <free+0x8>", "tbnz r,i"),
            ("csel x0, x1, x2, eq", "csel r,r,r,eq"),
            ("mrs x8, tpidr_el0", "mrs r,r"),
        ] {
            assert_eq!(kind_of(line), expected, "{line}");
        }
    }

    #[test]
    fn paths_follow_jumps_and_end_at_cold_code() {
        let code = |text: &str| {
            let mut disassembly = Disassembly::default();
            for (at, line) in text.lines().enumerate() {
                let (mnemonic, operands) = line.split_once(' ').unwrap_or((line, ""));
                let instruction = Instruction {
                    mnemonic: mnemonic.to_owned(),
                    operands: operands.to_owned(),
                };
                disassembly.code.insert(at as u64, instruction);
            }
            disassembly.functions.insert(0, "malloc".to_owned());
            disassembly
                .functions
                .insert(4, "front::slow::refill::h0123456789abcdef".to_owned());
            disassembly
        };
        let through = code("test rdi,rdi\nje 4 <x>\njmp 5 <y>\nud2\nret\nnop\nret");
        assert_eq!(
            fast_path(&through, 0),
            ["test r,r", "je", "jmp front::slow::refill"]
        );
        let returns = code("test rdi,rdi\njmp 3 <y>\nud2\nret");
        assert_eq!(fast_path(&returns, 0), ["test r,r", "jmp", "ret"]);
        let loops = code("jmp 0 <x>");
        assert_eq!(fast_path(&loops, 0), ["jmp", "(loop)"]);
    }
}
