//! The shortest questions that tell lanes apart.
//!
//! The rows of a site are a tree: its callers, and theirs. Where all of them want one
//! lane, the site alone decides. Else the size class is asked, which costs nothing, if that is
//! nearly enough; or the next frame, and so on. What was not seen in training goes where most
//! bytes of its nearest known context went. If there are more answers than nodes, those that
//! move the fewest bytes are left out.
//!
//! Invariants
//! 1. A node that asks has one that answers.
//! 2. No node moves more bytes of its rows to a wrong lane than it moves to the right one.

use super::evidence::{DEPTH, Place, Row};
use crate::base::class::{CLASSES, LANES};
use crate::base::mix::mix;

/// Nodes of a model at most.
pub const NODES: usize = 16384;
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
    rows: &'a [Row],
    /// The lane that each row wants, and its bytes.
    lanes: &'a [u8],
    bytes: &'a dyn Fn(&Row) -> f64,
    /// The hash of a place.
    hash: &'a dyn Fn(Place) -> u64,
    by_class: &'a mut ByClass,
    nodes: &'a mut [Node],
    len: usize,
    /// What moves no more bytes than this is left out.
    least: f64,
    /// Whether all that is not left out had room.
    fits: bool,
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
            least: 0.0,
            fits: true,
        }
    }

    /// Writes the nodes of all sites. Returns how many there are.
    pub fn grow(mut self) -> usize {
        let all: f64 = self.rows.iter().map(self.bytes).sum();
        loop {
            (self.len, self.fits) = (0, true);
            self.grow_sites();
            if self.fits {
                return self.len;
            }
            // Few enough are left long before it is all.
            self.least = (2.0 * self.least).max(all / (4 * NODES) as f64);
        }
    }

    fn grow_sites(&mut self) {
        let mut from = 0;
        while from < self.rows.len() && self.fits {
            let to = self.end_of(from, self.rows.len(), 0);
            let hash = self.hash_at(from, 0);
            if hash != 0 {
                self.grow_at(from, to, 1, site_key(hash), 0);
            }
            from = to;
        }
    }

    /// The hash of a row's place at `depth`; 0 if there is none, or it is not known.
    fn hash_at(&self, at: usize, depth: usize) -> u64 {
        let place = self.rows[at].path[depth];
        if place.is_none() {
            0
        } else {
            (self.hash)(place)
        }
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
        for (row, &lane) in self.rows[from..to].iter().zip(&self.lanes[from..to]) {
            all[usize::from(lane)] += (self.bytes)(row);
        }
        let (lane, wrong) = (most(&all), others(&all));
        let alone = all[lane] - all[default] > self.least;
        let next = match wrong > self.least {
            true => self.question(from, to, depth, wrong),
            false => Next::Nothing,
        };
        let (place, mut answer) = (
            self.len,
            Answer {
                lane: lane as u8,
                next,
            },
        );
        if next == Next::Nothing && !alone || !self.put(key, answer) {
            return;
        }
        match next {
            Next::Nothing => return,
            Next::Class => self.grow_classes(key, lane),
            Next::Frame => self.grow_frames(from, to, depth, key, lane),
        }
        if self.len == place + 1 {
            self.len = place;
            answer.next = Next::Nothing;
            if alone {
                self.put(key, answer);
            }
        }
    }

    /// What to ask of rows `from..to`, of whose bytes `wrong` are in the wrong lane if nothing is.
    /// `by_class` has their bytes then.
    fn question(&mut self, from: usize, to: usize, depth: usize, wrong: f64) -> Next {
        self.by_class.fill([0.0; LANES]);
        for (row, &lane) in self.rows[from..to].iter().zip(&self.lanes[from..to]) {
            if let Some(of_class) = self.by_class.get_mut(row.class as usize) {
                of_class[usize::from(lane)] += (self.bytes)(row);
            }
        }
        let left: f64 = self.by_class.iter().map(others).sum();
        let deeper = depth < DEPTH && !self.rows[to - 1].path[depth].is_none();
        if left <= ENOUGH * wrong || !deeper && left < wrong {
            Next::Class
        } else if deeper {
            Next::Frame
        } else {
            Next::Nothing
        }
    }

    /// The size classes, as `question` has them, that do not want `lane`.
    fn grow_classes(&mut self, key: u64, lane: usize) {
        for class in 0..CLASSES {
            let bytes = &self.by_class[class];
            let of_class = most(bytes);
            if bytes[of_class] - bytes[lane] > self.least {
                let answer = Answer {
                    lane: of_class as u8,
                    next: Next::Nothing,
                };
                self.put(class_key(key, class), answer);
            }
        }
    }

    fn grow_frames(&mut self, from: usize, to: usize, depth: usize, key: u64, lane: usize) {
        let mut at = from;
        while at < to && self.fits {
            let end = self.end_of(at, to, depth);
            let hash = self.hash_at(at, depth);
            if hash != 0 {
                self.grow_at(at, end, depth + 1, frame_key(key, hash), lane);
            }
            at = end;
        }
    }

    /// False if there is no room.
    fn put(&mut self, key: u64, answer: Answer) -> bool {
        self.fits &= self.len < self.nodes.len().min(NODES);
        if self.fits {
            self.nodes[self.len] = Node { key, answer };
            self.len += 1;
        }
        self.fits
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;
    use std::vec;
    use std::vec::Vec;

    /// Answers by key, as they are found while a program runs.
    pub type Answers = BTreeMap<u64, Answer>;

    pub fn answers(nodes: &[Node]) -> Answers {
        let answers: Answers = nodes.iter().map(|node| (node.key, node.answer)).collect();
        assert_eq!(answers.len(), nodes.len(), "no key twice");
        answers
    }

    /// The lane of a request.
    pub fn lane_of(answers: &Answers, path: &[u64], class: usize) -> u8 {
        let mut key = site_key(path[0]);
        let (mut depth, mut lane) = (1, 0);
        while let Some(answer) = answers.get(&key) {
            lane = answer.lane;
            match answer.next {
                Next::Nothing => break,
                Next::Class => key = class_key(key, class),
                Next::Frame if depth < path.len() => {
                    key = frame_key(key, path[depth]);
                    depth += 1;
                }
                Next::Frame => break,
            }
        }
        lane
    }

    /// A row, the lane that it wants, and its bytes.
    type Wish = (Row, u8, u32);

    fn wish(path: &[u64], class: usize, lane: u8, bytes: u32) -> Wish {
        let mut row = Row::EMPTY;
        (0..path.len()).for_each(|at| row.path[at] = Place(path[at]));
        row.class = class as u32;
        row.bytes = bytes.into();
        (row, lane, bytes)
    }

    fn grow(wishes: &mut Vec<Wish>, room: usize) -> Vec<Node> {
        wishes.sort_by_key(|(row, ..)| (row.path, row.class));
        wishes.dedup_by_key(|(row, ..)| (row.path, row.class));
        let rows: Vec<Row> = wishes.iter().map(|wish| wish.0).collect();
        let lanes: Vec<u8> = wishes.iter().map(|wish| wish.1).collect();
        let mut nodes = vec![Node::NONE; room];
        let mut by_class: ByClass = [[0.0; LANES]; CLASSES];
        let (bytes, hash) = (|row: &Row| row.bytes as f64, |place: Place| place.0);
        let tree = Tree::new(&rows, &lanes, &bytes, &hash, &mut by_class, &mut nodes);
        let len = tree.grow();
        nodes.truncate(len);
        nodes
    }

    /// Bytes in a wrong lane.
    fn wrong(wishes: &[Wish], nodes: &[Node]) -> u64 {
        let answers = answers(nodes);
        let is_wrong = |wish: &&Wish| {
            let path = wish.0.path.map(|place| place.0);
            let len = path.iter().position(|&place| place == 0).unwrap_or(DEPTH);
            lane_of(&answers, &path[..len], wish.0.class as usize) != wish.1
        };
        let bytes = wishes.iter().filter(is_wrong).map(|wish| u64::from(wish.2));
        bytes.sum()
    }

    #[test]
    fn a_wrapper_of_many_callers_has_nodes_for_them_all() {
        let mut wishes: Vec<Wish> = (0..2000)
            .map(|caller| wish(&[1, 2 + caller], 3, (caller % 2) as u8, 10))
            .collect();
        let nodes = grow(&mut wishes, NODES);
        assert_eq!(wrong(&wishes, &nodes), 0);
    }

    #[test]
    fn if_room_is_short_those_that_matter_most_have_it() {
        let mut wishes = vec![];
        for site in 1..=200 {
            wishes.push(wish(
                &[site],
                3,
                1,
                if site % 20 == 0 { 10_000 } else { 10 },
            ));
        }
        let nodes = grow(&mut wishes, 50);
        assert_eq!(wrong(&wishes, &nodes), 190 * 10);
        assert!(grow(&mut wishes, 0).is_empty());
    }

    #[test]
    fn nothing_is_asked_where_no_answer_helps() {
        // Those that want another lane have no caller to be known by.
        let mut wishes = vec![wish(&[1], 3, 1, 10), wish(&[1, 2], 3, 0, 90)];
        assert!(grow(&mut wishes, NODES).is_empty());
    }

    #[test]
    fn places_in_unknown_modules_have_no_nodes() {
        let wishes = [wish(&[1], 3, 1, 10), wish(&[2], 3, 1, 10)];
        let (rows, mut by_class) = (wishes.map(|wish| wish.0), [[0.0; LANES]; CLASSES]);
        let mut nodes = [Node::NONE; 9];
        let (bytes, hash) = (|row: &Row| row.bytes as f64, |_: Place| 0);
        let tree = Tree::new(&rows, &[1, 1], &bytes, &hash, &mut by_class, &mut nodes);
        assert_eq!(tree.grow(), 0);
    }

    fn wishes() -> impl Strategy<Value = Vec<Wish>> {
        let path = prop::array::uniform4(1..5u64);
        let one = (path, 1..=DEPTH, 0..4usize, 0..4u8, 1..1000u32);
        let one = one
            .prop_map(|(path, depth, class, lane, bytes)| wish(&path[..depth], class, lane, bytes));
        prop::collection::vec(one, 1..200)
    }

    proptest! {
        #[test]
        fn any_tree_is_better_than_none(mut wishes in wishes(), room in 0..100usize) {
            let nodes = grow(&mut wishes, room);
            prop_assert!(nodes.len() <= room);
            let others = wishes.iter().filter(|wish| wish.1 != 0);
            let without: u64 = others.map(|wish| u64::from(wish.2)).sum();
            prop_assert!(wrong(&wishes, &nodes) <= without);
        }

        #[test]
        fn with_room_few_whole_contexts_go_wrong(mut wishes in wishes()) {
            wishes.retain(|(row, ..)| !row.path[DEPTH - 1].is_none());
            let nodes = grow(&mut wishes, NODES);
            let mut sites: BTreeMap<u64, [f64; LANES]> = BTreeMap::new();
            for (row, lane, bytes) in &wishes {
                sites.entry(row.path[0].0).or_default()[usize::from(*lane)] += f64::from(*bytes);
            }
            let by_site: f64 = sites.values().map(others).sum();
            prop_assert!(wrong(&wishes, &nodes) as f64 <= ENOUGH * by_site + 1e-6);
        }
    }
}
