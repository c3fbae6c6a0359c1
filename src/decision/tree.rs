//! The shortest questions that tell lanes apart.
//!
//! The rows of a site are a tree: its callers, and theirs. Where all of them want one
//! lane, the site alone decides. Else the size class is asked, which costs nothing, if that is
//! nearly enough; or the next frame, and so on. What was not seen in training goes where most
//! bytes of its nearest known context went.

use super::evidence::{DEPTH, Place, Row};
use crate::base::class::{CLASSES, LANES};
use crate::base::mix::mix;

/// Nodes of a model at most.
pub const NODES: usize = 16384;
/// Nodes of one site at most.
const SITE_NODES: usize = 64;
/// The size class is asked in place of the next frame if it leaves at most this share of the
/// bytes in a wrong lane that are there without it.
const ENOUGH: f64 = 0.1;
/// Keeps the hash of a size class apart from that of a place.
const CLASS: u64 = 1 << 63;

/// What tells more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Next {
    Nothing,
    Class,
    Frame,
}

/// An answer: a lane, which is for what is not known better, and what to ask next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer {
    pub lane: u8,
    pub next: Next,
}

impl Answer {
    /// As a number: three bits for the lane, two for the question.
    pub fn to_bits(self) -> u8 {
        self.lane | (self.next as u8) << 3
    }

    /// `None` if these bits stand for no answer.
    pub fn from_bits(bits: u8) -> Option<Answer> {
        let next = match bits >> 3 {
            0 => Next::Nothing,
            1 => Next::Class,
            2 => Next::Frame,
            _ => return None,
        };
        let lane = bits & 7;
        (usize::from(lane) < LANES).then_some(Answer { lane, next })
    }
}

/// A place in the tree, by the hash of the way to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct Node {
    pub key: u64,
    pub answer: Answer,
}

#[cfg(test)]
impl Node {
    pub const NONE: Node = Node {
        key: 0,
        answer: Answer {
            lane: 0,
            next: Next::Nothing,
        },
    };
}

/// The key of a site.
pub fn site_key(place: u64) -> u64 {
    mix(0, place)
}

/// The key of a frame above what `key` stands for.
pub fn frame_key(key: u64, place: u64) -> u64 {
    mix(key, place & !CLASS)
}

/// The key of a size class of what `key` stands for.
pub fn class_key(key: u64, class: usize) -> u64 {
    mix(key, CLASS | class as u64)
}

/// Bytes by lane, for each class.
pub type ByClass = [[f64; LANES]; CLASSES];

/// Writes the nodes of a model.
pub struct Tree<'a> {
    /// Sorted by path.
    pub rows: &'a [Row],
    /// The lane that each row wants, and its bytes.
    pub lanes: &'a [u8],
    pub bytes: &'a dyn Fn(&Row) -> f64,
    /// The hash of a place.
    pub hash: &'a dyn Fn(Place) -> u64,
    pub by_class: &'a mut ByClass,
    pub nodes: &'a mut [Node],
    pub len: usize,
    /// Where the nodes of the site begin.
    site: usize,
}

fn most(bytes: &[f64; LANES]) -> usize {
    (1..LANES).fold(0, |most, lane| match bytes[lane] > bytes[most] {
        true => lane,
        false => most,
    })
}

fn others(bytes: &[f64; LANES]) -> f64 {
    bytes.iter().sum::<f64>() - bytes[most(bytes)]
}

impl<'a> Tree<'a> {
    pub fn new(
        rows: &'a [Row],
        lanes: &'a [u8],
        bytes: &'a dyn Fn(&Row) -> f64,
        hash: &'a dyn Fn(Place) -> u64,
        by_class: &'a mut ByClass,
        nodes: &'a mut [Node],
    ) -> Self {
        Tree {
            rows,
            lanes,
            bytes,
            hash,
            by_class,
            nodes,
            len: 0,
            site: 0,
        }
    }

    /// Writes the nodes of all sites. Returns how many there are.
    pub fn grow(mut self) -> usize {
        let mut from = 0;
        while from < self.rows.len() {
            let to = self.end_of(from, self.rows.len(), 0);
            let place = self.rows[from].path[0];
            if !place.is_none() {
                self.site = self.len;
                let key = site_key((self.hash)(place));
                self.grow_at(from, to, 1, key, 0);
            }
            from = to;
        }
        self.len
    }

    /// Where the rows end that have the same place at `depth` as the first.
    fn end_of(&self, from: usize, to: usize, depth: usize) -> usize {
        let place = self.rows[from].path[depth];
        let same = |row: &&Row| row.path[depth] == place;
        from + self.rows[from..to].iter().take_while(same).count()
    }

    /// Rows `from..to` share the first `depth` places, whose key is `key`. Whoever does not know
    /// that goes to lane `default`.
    fn grow_at(&mut self, from: usize, to: usize, depth: usize, key: u64, default: usize) {
        let mut all = [0.0; LANES];
        let (mut classes, mut last_class) = (0, u32::MAX);
        self.by_class.fill([0.0; LANES]);
        for (row, &lane) in self.rows[from..to].iter().zip(&self.lanes[from..to]) {
            if let Some(of_class) = self.by_class.get_mut(row.class as usize) {
                let bytes = (self.bytes)(row);
                of_class[usize::from(lane)] += bytes;
                all[usize::from(lane)] += bytes;
                classes += u32::from(row.class != last_class);
                last_class = row.class;
            }
        }
        let lane = most(&all);
        let wrong = others(&all);
        let left: f64 = self.by_class.iter().map(others).sum();
        let deeper = depth < DEPTH && !self.rows[to - 1].path[depth].is_none();
        let next = if wrong <= 0.0 {
            Next::Nothing
        } else if classes > 1 && (left <= ENOUGH * wrong || !deeper && left < wrong) {
            Next::Class
        } else if deeper {
            Next::Frame
        } else {
            Next::Nothing
        };
        if next == Next::Nothing && lane == default {
            return;
        }
        let answer = Answer {
            lane: lane as u8,
            next,
        };
        if !self.put(key, answer) {
            return;
        }
        match next {
            Next::Nothing => {}
            Next::Class => {
                for class in 0..CLASSES {
                    let bytes = self.by_class[class];
                    if bytes.iter().sum::<f64>() > 0.0 && most(&bytes) != lane {
                        let answer = Answer {
                            lane: most(&bytes) as u8,
                            next: Next::Nothing,
                        };
                        self.put(class_key(key, class), answer);
                    }
                }
            }
            Next::Frame => {
                let mut at = from;
                while at < to {
                    let end = self.end_of(at, to, depth);
                    let place = self.rows[at].path[depth];
                    if !place.is_none() {
                        let key = frame_key(key, (self.hash)(place));
                        self.grow_at(at, end, depth + 1, key, lane);
                    }
                    at = end;
                }
            }
        }
    }

    /// False if there is no room.
    fn put(&mut self, key: u64, answer: Answer) -> bool {
        let room = self.len - self.site < SITE_NODES && self.len < self.nodes.len().min(NODES);
        if room {
            self.nodes[self.len] = Node { key, answer };
            self.len += 1;
        }
        room
    }
}
