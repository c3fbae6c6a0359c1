//! What objdump prints of a library, as instructions by address.

use crate::child;
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

#[derive(Debug, PartialEq, Eq)]
pub struct Instruction {
    pub mnemonic: String,
    pub operands: String,
}

/// The text of a library: its instructions, and its functions by their start.
#[derive(Default)]
pub struct Disassembly {
    pub code: BTreeMap<u64, Instruction>,
    pub functions: BTreeMap<u64, String>,
}

impl Disassembly {
    pub fn of(library: &Path) -> Result<Disassembly> {
        let mut command = Command::new("objdump");
        command.args([
            "--disassemble",
            "--demangle",
            "--no-show-raw-insn",
            "--wide",
        ]);
        if std::env::consts::ARCH == "x86_64" {
            command.arg("--disassembler-options=intel");
        }
        Ok(Disassembly::parse(&child::output(command.arg(library))?))
    }

    fn parse(text: &str) -> Disassembly {
        let mut disassembly = Disassembly::default();
        for line in text.lines() {
            if let Some((address, name)) = header(line) {
                disassembly.functions.insert(address, name);
            } else if let Some((address, instruction)) = instruction(line) {
                disassembly.code.insert(address, instruction);
            }
        }
        disassembly
    }

    /// Where an exported function starts, from the dynamic symbols: objdump
    /// names only one of several names of an address.
    pub fn exported(library: &Path, name: &str) -> Result<u64> {
        let symbols = child::output(Command::new("objdump").arg("--dynamic-syms").arg(library))?;
        let line = symbols
            .lines()
            .find(|line| {
                line.contains(".text") && line.split_whitespace().next_back() == Some(name)
            })
            .with_context(|| format!("{} does not export {name}", library.display()))?;
        let address = line.split_whitespace().next().unwrap_or_default();
        u64::from_str_radix(address, 16).with_context(|| format!("no address in {line:?}"))
    }

    /// The function that an address lies in.
    pub fn function(&self, address: u64) -> &str {
        self.functions
            .range(..=address)
            .next_back()
            .map_or("", |(_, name)| name)
    }
}

/// `0000000000001040 <malloc@plt>:`
fn header(line: &str) -> Option<(u64, String)> {
    let (address, name) = line.strip_suffix(">:")?.split_once(" <")?;
    Some((u64::from_str_radix(address, 16).ok()?, name.to_owned()))
}

/// `    1046:\tmov    rax,QWORD PTR [rdi+0x8]        # comment`
fn instruction(line: &str) -> Option<(u64, Instruction)> {
    let (address, rest) = line.trim_start().split_once(":\t")?;
    let address = u64::from_str_radix(address, 16).ok()?;
    let code = rest.split(" # ").next()?.split("\t//").next()?.trim();
    let code = code
        .strip_prefix("bnd ")
        .or_else(|| code.strip_prefix("notrack "))
        .unwrap_or(code);
    let (mnemonic, operands) = code.split_once([' ', '\t']).unwrap_or((code, ""));
    Some((
        address,
        Instruction {
            mnemonic: mnemonic.to_owned(),
            operands: operands.trim().to_owned(),
        },
    ))
}
