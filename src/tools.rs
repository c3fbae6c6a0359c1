//! What the command line works with: models, what they answer, and models of several runs made
//! one. Beside it stands what it needs to know modules by their files.

use crate::base::class::{self, CLASSES, SLAB_MAX};
use crate::decision::compose::Workshop;
use crate::decision::evidence::weight;
use crate::decision::merge::Merger;
use crate::decision::tree::{Next, class_key, frame_key, site_key};
use crate::topology::points;
use std::alloc::{Layout, alloc_zeroed, handle_alloc_error};
use std::boxed::Box;
use std::vec;
use std::vec::Vec;

pub use crate::decision::evidence::{AGES, DEPTH, Place, Row, age_from};
pub use crate::decision::model::{LENGTH_MAX, Model, Refusal, Summary};
pub use crate::sys::module::{IDENTITY_MAX, Identity, code_identity};

/// Where blocks go that a row of evidence stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Route {
    /// To a lane of their own kind, above 0.
    Lane(u8),
    /// To lane 0, as most: they live as those do, or nothing tells them apart.
    Default,
    /// To lane 0, because sorting blocks of their size class would save nothing.
    NothingToSave,
    /// To spans or mappings of their own, which are not sorted.
    Large,
}

/// The route of the blocks of a row, found as it is while a program runs. `modules` are those of
/// the model.
pub fn route(model: &Model<'_>, modules: &[Identity], row: &Row) -> Route {
    let class = row.class as usize;
    if class >= CLASSES {
        return Route::Large;
    }
    if !model.routes(class) {
        return Route::NothingToSave;
    }
    let hash = |place: &Place| match place.is_none() {
        true => None,
        false => Some(hash_of(modules, *place)),
    };
    let mut frames = row.path.iter().map_while(hash);
    let (mut lane, mut key) = (0, frames.next().map(site_key));
    while let Some(answer) = key.and_then(|key| model.answer(key)) {
        lane = answer.lane;
        key = match answer.next {
            Next::Nothing => None,
            Next::Class => key.map(|key| class_key(key, class)),
            Next::Frame => frames.next().and_then(|frame| Some(frame_key(key?, frame))),
        };
    }
    match lane {
        0 => Route::Default,
        lane => Route::Lane(lane),
    }
}

fn hash_of(modules: &[Identity], place: Place) -> u64 {
    match modules.get(place.module()) {
        Some(module) => points::hash_of(module, place.offset()),
        None => 0,
    }
}

/// The smallest and the largest request of a class of evidence, in bytes.
pub fn sizes_of(class: usize) -> (u64, u64) {
    if class >= CLASSES {
        let from = (SLAB_MAX as u64) << (class - CLASSES).min(40);
        return (from + 1, from * 2);
    }
    let below = match class {
        0 => 0,
        class => class::size_of(class - 1) + 1,
    };
    (below as u64, class::size_of(class) as u64)
}

/// Bytes that were allocated where a row was sampled, by the estimate.
pub fn allocated(row: &Row, mean: u64) -> u64 {
    match row.bytes.checked_div(row.samples) {
        Some(size) => row.samples.saturating_mul(weight(size, mean)),
        None => 0,
    }
}

/// A box of zeroes.
///
/// # Safety
/// All zeroes is a value of `T`, which has a size.
unsafe fn zeroed<T>() -> Box<T> {
    let layout = Layout::new::<T>();
    // SAFETY: the caller's promise, and memory of this layout.
    unsafe {
        let place = alloc_zeroed(layout).cast::<T>();
        if place.is_null() {
            handle_alloc_error(layout);
        }
        Box::from_raw(place)
    }
}

/// The text of a model with the evidence of all of `models`, whose routes are decided anew.
/// `None` if there are too many modules, or two nodes have the same key.
pub fn merge(models: &[Model<'_>]) -> Option<Vec<u8>> {
    // SAFETY: all zeroes will do.
    let mut shop = unsafe { zeroed::<Workshop>() };
    let shop = &mut *shop;
    let mean = models.iter().map(|model| model.summary.mean).max()?;
    let mut merger = Merger::new(&mut shop.room, mean);
    for model in models {
        merger.add_model(model)?;
    }
    let mut text = vec![0; LENGTH_MAX];
    let length = shop.work.compose(merger, &points::hash_of, &mut text)?;
    text.truncate(length);
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::model::{encode, room};

    fn identity(name: u8) -> Identity {
        let mut identity = Identity::NONE;
        identity.len = 20;
        identity.build_id = true;
        identity.bytes[..20].fill(name);
        identity
    }

    fn row(site: u64, died: usize, samples: u32, alive: u32) -> Row {
        let mut row = Row::EMPTY;
        row.path[0] = Place::new(0, site).expect("fits");
        row.class = 10;
        row.died[died] = samples;
        row.alive[AGES - 4] = alive;
        row.samples = u64::from(samples + alive);
        row.bytes = row.samples * 170;
        row.peak = samples / 10 + alive;
        row
    }

    fn text_of(identity: Identity, rows: &[Row]) -> Vec<u8> {
        let summary = Summary {
            clock: 1 << 30,
            mean: 64 << 10,
            saved: 0,
            runs: 1,
            routed: [0; 2],
        };
        let mut text = vec![0; room(1, 0, rows.len())];
        let length = encode(&mut text, &summary, &[identity], &mut [], rows).expect("room");
        text.truncate(length);
        text
    }

    #[test]
    fn a_merged_model_is_decided_anew() {
        let one = text_of(identity(1), &[row(1, 6, 9000, 0), row(2, 6, 0, 90)]);
        let other = text_of(identity(2), &[row(2, 6, 500, 0)]);
        let models = [&one, &other].map(|text| Model::parse(text).expect("a model"));
        let text = merge(&models).expect("a model");
        let model = Model::parse(&text).expect("a model");
        let modules: Vec<_> = model.modules().collect();
        assert_eq!(modules, [identity(1), identity(2)]);
        assert_eq!((model.summary.runs, model.summary.clock), (2, 1 << 31));
        let routes: Vec<_> = model
            .rows()
            .map(|row| (row.samples, route(&model, &modules, &row)))
            .collect();
        let [(9000, first), (90, Route::Lane(lane)), (500, last)] = routes[..] else {
            panic!("{routes:?}");
        };
        assert!(lane > 0 && [first, last] == [Route::Default; 2]);
        let reversed = [models[1], models[0]];
        assert_eq!(merge(&reversed).expect("a model"), text);
    }

    #[test]
    fn what_is_not_sorted_has_a_reason() {
        let text = text_of(identity(1), &[]);
        let model = Model::parse(&text).expect("a model");
        let large = Row {
            class: CLASSES as u32,
            ..Row::EMPTY
        };
        assert_eq!(route(&model, &[], &large), Route::Large);
        assert_eq!(route(&model, &[], &Row::EMPTY), Route::NothingToSave);
    }

    #[test]
    fn sizes_follow_each_other() {
        for class in 1..CLASSES + 20 {
            assert_eq!(sizes_of(class).0, sizes_of(class - 1).1 + 1);
        }
    }
}
