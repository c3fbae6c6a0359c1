//! Segments that a buddy takes from the system.

use super::{Buddy, DENSE, FIRST, HUGE_AFTER, LARGE_HEAP, Use};
use crate::backend::segment::{self, RESERVED, SLICES, Segment};
use crate::backend::{budget, meta};
use crate::base::atomic::Ordering;
use crate::base::class::SLICE;
use crate::map;
use crate::sys::vm;

impl Buddy {
    /// Maps a segment that has room for `slices` at a multiple of `align`. Where the
    /// full size cannot be had, asks for less.
    pub(super) fn grow(&mut self, slices: usize, align: usize) -> bool {
        let record = if self.spare.is_null() {
            meta::alloc(size_of::<Segment>(), align_of::<Segment>()) as *mut Segment
        } else {
            self.spare
        };
        if record.is_null() {
            return false;
        }
        // SAFETY: a record is ours; the next one of the spare list, or null, follows.
        self.spare = unsafe { (*record).next };
        let least = (slices + align.max(RESERVED)).max(segment::MIN_SLICES);
        let first = self.used == Use::Small && self.segments.is_null();
        let mut size = if first { FIRST } else { SLICES }.max(least);
        loop {
            let align = segment::ALIGN.min(1 << (size * SLICE).ilog2());
            if let Some(base) = vm::reserve(size * SLICE, align) {
                if map::prepare(base, size * SLICE) {
                    let again = self.budget.remap(size * SLICE) / SLICE;
                    if self.adopt(record, base, size, again, false) {
                        return true;
                    }
                }
                vm::discard(base, size * SLICE);
            }
            budget::press();
            if size == least {
                break;
            }
            size = (size / 2).max(least);
        }
        // SAFETY: the record goes back to the spare list.
        unsafe { (*record).next = self.spare };
        self.spare = record;
        false
    }

    /// Whether huge pages for more spans would be touched throughout, or nearly: as most of what is
    /// in use, or in a larger heap of what has come to use since this was last asked.
    pub(super) fn is_dense(&mut self) -> bool {
        if self.used != Use::Small {
            return false;
        }
        let now = (DENSE.load(Ordering::Relaxed), self.budget.in_use);
        let then = core::mem::replace(&mut self.grown, now);
        let (dense, in_use) = now;
        let (more_dense, more) = (dense.saturating_sub(then.0), in_use.saturating_sub(then.1));
        let all = dense >= in_use - in_use / 8;
        let lately = in_use >= LARGE_HEAP && more > 0 && more_dense >= more - more / 3;
        in_use >= HUGE_AFTER && (all || lately)
    }

    /// Enters a segment without a span in use, of which `again` slices count as purged, or
    /// all as dirty. False if there is no memory for its headers.
    pub(super) fn adopt(
        &mut self,
        record: *mut Segment,
        base: usize,
        slices: usize,
        again: usize,
        dirty: bool,
    ) -> bool {
        // SAFETY: the record is ours, and so is the mapping.
        unsafe {
            record.write(Segment::new(base, slices, self.era, self.used));
            if !(*record).commit(0, RESERVED, self.is_dense()) {
                return false;
            }
            if dirty {
                (*record).dirty.fill(RESERVED, slices, true);
                self.budget.dirty += (slices - RESERVED) * SLICE;
            }
            let from = RESERVED.max(slices - again.min(slices));
            (*record).purged.fill(from, slices, !dirty);
            (*record).next = self.segments;
            if !self.segments.is_null() {
                (*self.segments).prev = record;
            }
            self.segments = record;
            self.mapped += slices * SLICE;
            self.list_range(record, RESERVED, slices);
        }
        true
    }
}
