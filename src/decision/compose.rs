//! From evidence to the text of a model.

use super::decide::{Scratch, decide};
use super::evidence::Place;
use super::merge::{Merger, Room};
use super::model::{LENGTH_MAX, Summary, encode, room};
use super::tree::{NODES, Node};
use crate::sys::module::Identity;

/// Memory to compose in. All zeroes will do.
#[repr(C)]
pub struct Workshop {
    pub room: Room,
    pub work: Work,
}

/// What is needed once all evidence is there.
#[repr(C)]
pub struct Work {
    scratch: Scratch,
    nodes: [Node; NODES],
}

impl Work {
    /// Decides, and writes the model of all that `merger` has to `to`, which has `LENGTH_MAX` bytes.
    /// `hash` tells the hash of a place in a module. Returns the length; `None` if two nodes
    /// have the same key.
    pub fn compose(
        &mut self,
        merger: Merger<'_>,
        hash: &dyn Fn(&Identity, u64) -> u64,
        to: &mut [u8],
    ) -> Option<usize> {
        let (seen, modules, rows) = merger.finish();
        let hash = |place: Place| match modules.get(place.module()) {
            Some(module) => hash(module, place.offset()),
            None => 0,
        };
        let outcome = decide(rows, seen, &hash, &mut self.scratch, &mut self.nodes);
        let summary = Summary {
            clock: seen.clock,
            mean: seen.mean,
            saved: outcome.saved as u64,
            runs: seen.runs,
            routed: outcome.routed,
        };
        let nodes = &mut self.nodes[..outcome.nodes];
        debug_assert!(room(modules.len(), nodes.len(), rows.len()) <= LENGTH_MAX);
        encode(to, &summary, modules, nodes, rows)
    }
}
