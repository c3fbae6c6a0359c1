//! The file `.lohalloc`: what was decided, and the evidence for it. `docs/model-format.md` has it
//! byte by byte.
//!
//! Nothing in it depends on where anything was loaded, and no name of a file is in it. A reader
//! believes none of it: parsing is a function of bytes that checks everything, and what is
//! left to be wrong is only which lane a block goes to.

use super::evidence::{AGES, DEPTH, Place, Row};
use super::table::{self, Table};
use super::tree::{Answer, Node};
use crate::base::class::{self, CLASSES};
use crate::base::mix::mix;
use crate::sys::module::{IDENTITY_MAX, Identity};
use core::fmt::{self, Display};

/// The first eight bytes.
pub const MAGIC: [u8; 8] = *b"LOHALLOC";
/// Readers refuse any other.
pub const VERSION: u32 = 1;
/// Bytes before the modules.
pub const HEADER: usize = 104;
/// Bytes of a module.
const MODULE: usize = 2 + IDENTITY_MAX;
/// Longer files are refused.
pub const LENGTH_MAX: usize = 4 << 20;
/// The longest row.
const ROW_MAX: usize = 2 + DEPTH * 10 + 10 * 6 + 2 * (4 + AGES * 5);

/// Where the checksum stands, which counts as zero in itself.
const CHECKSUM: usize = 16;

/// What goes for the whole model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Summary {
    /// Bytes allocated in all runs.
    pub clock: u64,
    /// Bytes from one sample to the next, in the mean.
    pub mean: u64,
    /// Bytes held less, on the average, by the estimate.
    pub saved: u64,
    /// Runs that it comes from.
    pub runs: u32,
    /// A bit for each size class that is routed.
    pub routed: [u64; CLASSES.div_ceil(64)],
}

/// Why a file is no model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    NotAModel,
    Version(u32),
    Classes,
    Length {
        says: u64,
        has: u64,
    },
    Checksum,
    /// Well-formed bytes, but for those at this offset.
    Content(usize),
}

impl Display for Refusal {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::NotAModel => to.write_str("is no model"),
            Refusal::Version(version) => {
                write!(to, "has format {version}, this library reads {VERSION}")
            }
            Refusal::Classes => to.write_str("is of a library with other size classes"),
            Refusal::Length { says, has } if has < says => {
                write!(
                    to,
                    "is cut off at byte {} of {}",
                    Grouped(*has),
                    Grouped(*says)
                )
            }
            Refusal::Length { says, has } => {
                let (says, has) = (Grouped(*says), Grouped(*has));
                write!(to, "is damaged: {has} bytes long and not {says}")
            }
            Refusal::Checksum => to.write_str("is damaged: its checksum does not match"),
            Refusal::Content(at) => write!(to, "is damaged at byte {}", Grouped(*at as u64)),
        }
    }
}

/// A number with a comma before each three digits.
struct Grouped(u64);

impl Display for Grouped {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            number @ 0..1000 => write!(to, "{number}"),
            number => write!(to, "{},{:03}", Grouped(number / 1000), number % 1000),
        }
    }
}

/// A hash of all sizes of blocks: models of other sizes do not fit.
fn classes_hash() -> u64 {
    (0..CLASSES).fold(0, |hash, class| mix(hash, class::size_of(class) as u64))
}

/// The checksum of a file: four chains of `mix`, each of which any change of one of its words
/// changes.
fn checksum(text: &[u8]) -> u64 {
    let mut sums = [1, 2, 3, 4];
    for (index, word) in text.chunks(8).enumerate() {
        let mut bytes = [0; 8];
        bytes[..word.len()].copy_from_slice(word);
        let word = match index * 8 {
            CHECKSUM => 0,
            _ => u64::from_le_bytes(bytes),
        };
        let sum = &mut sums[index % 4];
        *sum = mix(*sum, word);
    }
    sums.iter()
        .fold(text.len() as u64, |hash, &sum| mix(hash, sum))
}

/// The room that a model may need, in bytes.
pub fn room(modules: usize, nodes: usize, rows: usize) -> usize {
    HEADER + modules * MODULE + table::room(nodes) + rows * ROW_MAX
}

/// Appends to a slice; what does not fit is lost, which `fits` tells.
struct Writer<'a> {
    to: &'a mut [u8],
    at: usize,
    fits: bool,
}

impl Writer<'_> {
    fn bytes(&mut self, bytes: &[u8]) {
        match self.to.get_mut(self.at..self.at + bytes.len()) {
            Some(room) => room.copy_from_slice(bytes),
            None => self.fits = false,
        }
        self.at += bytes.len();
    }

    /// Seven bits a byte, the lowest first; the eighth says that more follow.
    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes(&[number as u8 | 0x80]);
            number >>= 7;
        }
        self.bytes(&[number as u8]);
    }

    fn counts(&mut self, counts: &[u32; AGES]) {
        let some = |bits: u32, (age, &count): (usize, &u32)| bits | u32::from(count != 0) << age;
        let bits = counts.iter().enumerate().fold(0, some);
        self.number(bits.into());
        for &count in counts.iter().filter(|&&count| count != 0) {
            self.number(count.into());
        }
    }

    fn row(&mut self, row: &Row) {
        let depth = row.path.iter().take_while(|place| !place.is_none()).count();
        self.number(depth as u64);
        for place in &row.path[..depth] {
            self.number(place.module() as u64);
            self.number(place.offset());
        }
        self.number(row.class.into());
        self.counts(&row.died);
        self.counts(&row.alive);
        for number in [
            row.remote.into(),
            row.grown.into(),
            row.peak.into(),
            row.bytes,
        ] {
            self.number(number);
        }
    }
}

/// Writes a model; returns its length, or `None` if `to` is too short, see `room`, or two nodes have
/// the same key. `nodes` are put in another order.
pub fn encode(
    to: &mut [u8],
    summary: &Summary,
    modules: &[Identity],
    nodes: &mut [Node],
    rows: &[Row],
) -> Option<usize> {
    let mut writer = Writer {
        to,
        at: HEADER,
        fits: true,
    };
    for module in modules {
        writer.bytes(&[module.len, module.build_id.into()]);
        writer.bytes(&module.bytes);
    }
    writer.at += table::encode(nodes, writer.to.get_mut(writer.at..)?)?;
    rows.iter().for_each(|row| writer.row(row));
    let (length, fits) = (writer.at, writer.fits);
    if !fits {
        return None;
    }
    let text = &mut to[..length];
    let counts = [
        modules.len() as u32,
        nodes.len() as u32,
        rows.len() as u32,
        summary.runs,
    ];
    let mut header = Writer {
        to: text,
        at: 0,
        fits: true,
    };
    header.bytes(&MAGIC);
    header.bytes(&VERSION.to_le_bytes());
    header.bytes(&(HEADER as u32).to_le_bytes());
    // The checksum's place.
    header.bytes(&[0; 8]);
    header.bytes(&(length as u64).to_le_bytes());
    header.bytes(&classes_hash().to_le_bytes());
    counts
        .iter()
        .for_each(|count| header.bytes(&count.to_le_bytes()));
    let [low, high] = summary.routed;
    for word in [summary.clock, summary.mean, summary.saved, low, high] {
        header.bytes(&word.to_le_bytes());
    }
    header.bytes(&[0; 8]);
    debug_assert_eq!(header.at, HEADER);
    let sum = checksum(text).to_le_bytes();
    text[CHECKSUM..CHECKSUM + 8].copy_from_slice(&sum);
    Some(length)
}

/// A model, in the bytes that it was read from.
#[derive(Clone, Copy)]
pub struct Model<'a> {
    pub summary: Summary,
    modules: &'a [u8],
    table: Table<'a>,
    rows: &'a [u8],
    row_count: usize,
}

fn word(text: &[u8], at: usize) -> u64 {
    let mut bytes = [0; 8];
    if let Some(found) = text.get(at..at + 8) {
        bytes.copy_from_slice(found);
    }
    u64::from_le_bytes(bytes)
}

fn half(text: &[u8], at: usize) -> u32 {
    word(text, at) as u32
}

/// A module, as it is written.
fn identity(text: &[u8]) -> Identity {
    let mut identity = Identity {
        len: text[0],
        build_id: text[1] != 0,
        ..Identity::NONE
    };
    identity.bytes.copy_from_slice(&text[2..]);
    identity
}

impl<'a> Model<'a> {
    /// Reads a model. All of it is checked but for the evidence, which `rows` checks as it goes.
    pub fn parse(text: &'a [u8]) -> Result<Model<'a>, Refusal> {
        if text.get(..8) != Some(&MAGIC) {
            return Err(Refusal::NotAModel);
        }
        if text.len() < HEADER {
            return Err(Refusal::Length {
                says: HEADER as u64,
                has: text.len() as u64,
            });
        }
        if half(text, 8) != VERSION {
            return Err(Refusal::Version(half(text, 8)));
        }
        if word(text, 24) != text.len() as u64 {
            return Err(Refusal::Length {
                says: word(text, 24),
                has: text.len() as u64,
            });
        }
        if word(text, CHECKSUM) != checksum(text) {
            return Err(Refusal::Checksum);
        }
        if word(text, 32) != classes_hash() {
            return Err(Refusal::Classes);
        }
        let [modules, nodes, row_count] = [40, 44, 48].map(|at| half(text, at) as usize);
        if half(text, 12) as usize != HEADER || word(text, 96) != 0 {
            return Err(Refusal::Content(12));
        }
        let at = HEADER + modules * MODULE;
        let (modules, rest) = match text.split_at_checked(at) {
            Some((before, rest)) if modules <= 0xffff => (&before[HEADER..], rest),
            _ => return Err(Refusal::Content(40)),
        };
        let (table, rows) = Table::parse(rest, nodes).ok_or(Refusal::Content(at))?;
        let model = Model {
            summary: Summary {
                clock: word(text, 56),
                mean: word(text, 64),
                saved: word(text, 72),
                runs: half(text, 52),
                routed: [word(text, 80), word(text, 88)],
            },
            modules,
            table,
            rows,
            row_count,
        };
        model.check()
    }

    fn check(self) -> Result<Model<'a>, Refusal> {
        for (index, module) in self.modules.chunks_exact(MODULE).enumerate() {
            if usize::from(module[0]) > IDENTITY_MAX || module[1] > 1 {
                return Err(Refusal::Content(HEADER + index * MODULE));
            }
        }
        if self.summary.mean == 0 || self.summary.mean > 1 << 40 {
            return Err(Refusal::Content(64));
        }
        Ok(self)
    }

    /// The modules, by number.
    pub fn modules(&self) -> impl Iterator<Item = Identity> + use<'a> {
        self.modules.chunks_exact(MODULE).map(identity)
    }

    /// The module of a number.
    pub fn module(&self, number: usize) -> Option<Identity> {
        self.modules.chunks_exact(MODULE).nth(number).map(identity)
    }

    #[cfg(feature = "tools")]
    pub fn nodes(&self) -> usize {
        self.table.len()
    }

    /// The answer of a node, if there is such a node.
    pub fn answer(&self, key: u64) -> Option<Answer> {
        self.table.answer(key)
    }

    /// Whether blocks of a size class go to different lanes.
    pub fn routes(&self, class: usize) -> bool {
        self.summary.routed[class / 64] >> (class % 64) & 1 != 0
    }

    /// The evidence. Ends at the first row that is not well formed: there are fewer than
    /// `row_count` then.
    pub fn rows(&self) -> Rows<'a> {
        Rows {
            text: self.rows,
            modules: self.modules.len() / MODULE,
            left: self.row_count,
        }
    }

    pub fn row_count(&self) -> usize {
        self.row_count
    }
}

/// Reads rows.
pub struct Rows<'a> {
    text: &'a [u8],
    modules: usize,
    left: usize,
}

impl Rows<'_> {
    fn number(&mut self) -> Option<u64> {
        let (mut number, mut shift) = (0, 0);
        loop {
            let (&byte, rest) = self.text.split_first()?;
            self.text = rest;
            number |= u64::from(byte & 0x7f).checked_shl(shift)?;
            if byte & 0x80 == 0 {
                return Some(number);
            }
            shift += 7;
        }
    }

    fn small(&mut self) -> Option<u32> {
        self.number()?.try_into().ok()
    }

    fn counts(&mut self) -> Option<[u32; AGES]> {
        let mut counts = [0; AGES];
        let bits = self.small()?;
        if bits >> AGES != 0 {
            return None;
        }
        for (age, count) in counts.iter_mut().enumerate() {
            if bits >> age & 1 != 0 {
                *count = self.small()?;
            }
        }
        Some(counts)
    }

    fn row(&mut self) -> Option<Row> {
        let mut row = Row::EMPTY;
        let depth = self.number()? as usize;
        for place in row.path.get_mut(..depth)? {
            let (module, offset) = (self.number()? as usize, self.number()?);
            if module >= self.modules {
                return None;
            }
            *place = Place::new(module, offset)?;
        }
        row.class = self.small()?;
        row.died = self.counts()?;
        row.alive = self.counts()?;
        row.remote = self.small()?;
        row.grown = self.small()?;
        row.peak = self.small()?;
        row.bytes = self.number()?;
        let counts = row.died.iter().chain(&row.alive);
        row.samples = counts.map(|&count| u64::from(count)).sum();
        Some(row)
    }
}

impl Iterator for Rows<'_> {
    type Item = Row;
    fn next(&mut self) -> Option<Row> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        let row = self.row();
        if row.is_none() {
            self.left = 0;
        }
        row
    }
}

#[cfg(test)]
mod tests;
