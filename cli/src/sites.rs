//! What a model says of each call that allocates.

use lohalloc::tools::{AGES, DEPTH, Identity, Model, Place, Route, Row, allocated, route};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A row of evidence, and what comes of it.
#[derive(Clone, Copy)]
pub struct Call {
    pub row: Row,
    pub route: Route,
    /// Bytes, by the estimate.
    pub allocated: u64,
}

impl Call {
    pub fn place(&self) -> Place {
        self.row.path[0]
    }

    /// The site and the frames above it, as far as they are known.
    pub fn places(&self) -> &[Place] {
        let depth = self.row.path.iter().take_while(|place| !place.is_none());
        &self.row.path[..depth.count()]
    }
}

/// What is a call in every model: its places, with the modules' identities, and its size class.
pub type Key = ([Option<(([u8; 32], u8), u64)>; DEPTH], u32);

/// A model, call by call, those with most bytes first.
pub struct Calls {
    pub modules: Vec<Identity>,
    pub calls: Vec<Call>,
}

impl Calls {
    pub fn of(model: &Model<'_>) -> Calls {
        let modules: Vec<Identity> = model.modules().collect();
        let call = |row: Row| Call {
            row,
            route: route(model, &modules, &row),
            allocated: allocated(&row, model.summary.mean),
        };
        let mut calls: Vec<Call> = model.rows().map(call).collect();
        calls.sort_by_key(|call| (Reverse(call.allocated), call.row.path, call.row.class));
        Calls { modules, calls }
    }

    pub fn key(&self, call: &Call) -> Key {
        let mut key = [None; DEPTH];
        for (to, place) in key.iter_mut().zip(call.places()) {
            let module = self.modules[place.module()];
            *to = Some(((module.bytes, module.len), place.offset()));
        }
        (key, call.row.class)
    }

    /// Calls from the same place together, those with most bytes first.
    pub fn sites(&self) -> Vec<Group> {
        let mut sites: BTreeMap<Place, Group> = BTreeMap::new();
        for call in &self.calls {
            sites.entry(call.place()).or_default().add(call);
        }
        let mut sites: Vec<Group> = sites.into_values().collect();
        sites.sort_by_key(|site| (Reverse(site.allocated), site.places.clone()));
        sites
    }

    /// Each call by itself.
    pub fn contexts(&self) -> Vec<Group> {
        let alone = |call: &Call| {
            let mut group = Group::default();
            group.add(call);
            group.places = call.places().to_vec();
            group
        };
        self.calls.iter().map(alone).collect()
    }
}

/// Calls that are shown in one line.
#[derive(Default)]
pub struct Group {
    pub places: Vec<Place>,
    pub allocated: u64,
    pub samples: u64,
    /// Size classes, the smallest and the largest.
    pub classes: Option<(u32, u32)>,
    /// Samples by how long they lived, or have lived at the end.
    pub ages: [u64; AGES],
    pub alive: u64,
    pub remote: u64,
    /// Bytes by route.
    pub routes: BTreeMap<Route, u64>,
}

impl Group {
    fn add(&mut self, call: &Call) {
        let row = &call.row;
        self.places = vec![call.place()];
        self.allocated = self.allocated.saturating_add(call.allocated);
        self.samples += row.samples;
        let (low, high) = self.classes.unwrap_or((row.class, row.class));
        self.classes = Some((low.min(row.class), high.max(row.class)));
        for (age, (died, alive)) in row.died.iter().zip(&row.alive).enumerate() {
            self.ages[age] += u64::from(*died) + u64::from(*alive);
            self.alive += u64::from(*alive);
        }
        self.remote += u64::from(row.remote);
        *self.routes.entry(call.route).or_default() += call.allocated;
    }
}
