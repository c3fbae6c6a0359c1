//! Which big blocks come back: memory of theirs is worth keeping, that of others goes at once.
//!
//! A freed block that is kept costs its memory until the next one is asked for; one that is given back
//! costs a page fault for each OS page of the next. So a block comes back if the next one is asked for
//! soon, on the clock of bytes allocated, compared to its size. That is known for a site if many
//! were seen. What lives long is not waited for: by the time that it is freed the program may be
//! about something else.

use super::evidence::{AGES, Place, Row, Seen, age_from, weight};
use crate::base::class::CLASSES;

/// Soon is while so many times the size of a block is allocated.
const SOON: f64 = 64.0;
/// So many blocks are many, in each run.
const MANY: f64 = 8.0;
/// So few are of one-shot sites.
const ONCE: f64 = 1.5;
/// This share of blocks that come back is freed soon.
const MOST: f64 = 0.75;

/// What becomes of the big blocks of a site when they are freed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// Kept: at most so many, with so many bytes together.
    Kept { blocks: u32, bytes: u64 },
    /// Given back at once.
    GivenBack,
}

/// A site, and what becomes of its big blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    pub site: Place,
    pub fate: Fate,
}

/// What the rows of a site say, or some of them.
#[derive(Clone, Copy)]
struct Site {
    /// Blocks in each run.
    births: f64,
    blocks: u32,
    bytes: u64,
}

/// Writes a verdict for each site with big blocks of which enough was seen, as long as there is room,
/// and returns how many there are. `rows` are sorted by path.
pub fn judge(rows: &[Row], seen: Seen, verdicts: &mut [Verdict]) -> usize {
    let mut len = 0;
    for rows in rows.chunk_by(|one, next| one.path[0] == next.path[0]) {
        let site = rows[0].path[0];
        let Some(fate) = fate(rows, seen).filter(|_| !site.is_none()) else {
            continue;
        };
        let Some(verdict) = verdicts.get_mut(len) else {
            break;
        };
        *verdict = Verdict { site, fate };
        len += 1;
    }
    len
}

/// `None` if there are no big blocks, or too few to tell.
fn fate(rows: &[Row], seen: Seen) -> Option<Fate> {
    let big = |row: &&Row| row.class as usize >= CLASSES && row.samples > 0;
    let mut all = Site {
        births: 0.0,
        blocks: 0,
        bytes: 0,
    };
    for row in rows.iter().filter(big) {
        let size = (row.bytes / row.samples).max(1);
        // Blocks that a sample stands for.
        let each = weight(size, seen.mean) as f64 / size as f64;
        let births = row.samples as f64 * each / f64::from(seen.runs.max(1));
        all.births += births;
        if births >= MANY && comes_back(row, size, births, seen) {
            let blocks = (f64::from(row.peak.max(1)) * each + 0.5) as u32;
            // Not the sum: contexts and sizes have their peaks at different times.
            all.blocks = all.blocks.max(blocks);
            all.bytes = all.bytes.max(u64::from(blocks).saturating_mul(size));
        }
    }
    if all.blocks > 0 {
        Some(Fate::Kept {
            blocks: all.blocks,
            bytes: all.bytes,
        })
    } else if all.births >= MANY || all.births > 0.0 && all.births <= ONCE {
        Some(Fate::GivenBack)
    } else {
        None
    }
}

/// Whether blocks of a row, so many in each run, are soon freed and soon asked for again.
fn comes_back(row: &Row, size: u64, births: f64, seen: Seen) -> bool {
    let soon = SOON * size as f64;
    let ages = 0..AGES - 1;
    let freed_soon: u64 = ages
        .filter(|&age| age_from(age + 1) as f64 <= soon)
        .map(|age| u64::from(row.died[age]))
        .sum();
    let between = seen.clock as f64 / f64::from(seen.runs.max(1)) / births;
    freed_soon as f64 >= MOST * row.samples as f64 && between <= soon
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::evidence::{DEPTH, age_class, signature_class};
    use proptest::prelude::*;
    use std::vec;
    use std::vec::Vec;

    const MIB: u64 = 1 << 20;
    const SEEN: Seen = Seen {
        mean: 64 << 10,
        clock: 4 << 30,
        runs: 1,
    };

    /// Blocks of a site, all of which live so long, at most `peak` at once.
    fn row(site: u64, size: u64, samples: u32, life: u64, peak: u32) -> Row {
        let mut row = Row::EMPTY;
        row.path[0] = Place(site);
        row.class = signature_class(size as usize) as u32;
        row.died[age_class(life)] = samples;
        row.samples = samples.into();
        row.bytes = size * row.samples;
        row.peak = peak;
        row
    }

    fn judged(rows: &[Row], seen: Seen) -> Vec<(u64, Fate)> {
        let nothing = Verdict {
            site: Place::NONE,
            fate: Fate::GivenBack,
        };
        let mut verdicts = vec![nothing; 99];
        let len = judge(rows, seen, &mut verdicts);
        let pairs = verdicts[..len].iter();
        pairs
            .map(|verdict| (verdict.site.0, verdict.fate))
            .collect()
    }

    fn kept(blocks: u32, bytes: u64) -> Fate {
        Fate::Kept { blocks, bytes }
    }

    #[test]
    fn buffers_in_a_loop_are_kept() {
        let rows = [row(1, 10 * MIB, 100, MIB, 1), row(2, MIB, 1000, 3 * MIB, 4)];
        let fates = judged(&rows, SEEN);
        assert_eq!(fates, [(1, kept(1, 10 * MIB)), (2, kept(4, 4 * MIB))]);
    }

    #[test]
    fn one_shot_giants_go_at_once() {
        let fates = judged(&[row(1, 1 << 30, 1, MIB, 1)], SEEN);
        assert_eq!(fates, [(1, Fate::GivenBack)]);
        // In each of ten runs.
        let seen = Seen {
            clock: 10 * SEEN.clock,
            runs: 10,
            ..SEEN
        };
        let fates = judged(&[row(1, 1 << 30, 10, MIB, 1)], seen);
        assert_eq!(fates, [(1, Fate::GivenBack)]);
    }

    #[test]
    fn what_comes_back_seldom_goes_at_once() {
        let fates = judged(&[row(1, MIB, 20, MIB, 1)], SEEN);
        assert_eq!(fates, [(1, Fate::GivenBack)]);
    }

    #[test]
    fn what_lives_long_goes_at_once() {
        let mut rows = [row(1, MIB, 1000, 1 << 30, 300)];
        assert_eq!(judged(&rows, SEEN), [(1, Fate::GivenBack)]);
        rows[0].died = [0; AGES];
        rows[0].alive[0] = 1000;
        assert_eq!(judged(&rows, SEEN), [(1, Fate::GivenBack)]);
    }

    #[test]
    fn of_few_blocks_nothing_is_said() {
        assert_eq!(judged(&[row(1, 300 * MIB, 4, MIB, 1)], SEEN), []);
        let small = row(1, 1000, 999, MIB, 9);
        assert_eq!(judged(&[small], SEEN), []);
        assert_eq!(judged(&[row(0, MIB, 1000, MIB, 1)], SEEN), []);
    }

    #[test]
    fn giants_of_a_wrapper_do_not_count_for_its_buffers() {
        let (mut giant, mut buffer) = (row(1, 1 << 30, 1, MIB, 1), row(1, 10 * MIB, 100, MIB, 2));
        giant.path[1] = Place(7);
        buffer.path[1] = Place(8);
        let fates = judged(&[giant, buffer], SEEN);
        assert_eq!(fates, [(1, kept(2, 20 * MIB))]);
    }

    #[test]
    fn samples_stand_for_the_blocks_between_them() {
        let seen = Seen {
            mean: 4 * MIB,
            ..SEEN
        };
        let fates = judged(&[row(1, MIB, 300, MIB, 2)], seen);
        let Fate::Kept { blocks, .. } = fates[0].1 else {
            panic!("{fates:?}");
        };
        assert!((8..=10).contains(&blocks), "{blocks}");
    }

    proptest! {
        #[test]
        fn no_rows_do_harm(
            rows in prop::collection::vec((0..4u64, 0..60u64, 90..150u32, any::<u32>(), any::<u64>(), 0..9u64, any::<u32>()), 0..50),
            mean: u64, clock: u64, runs: u32, room in 0..9usize,
        ) {
            let row = |&(site, frame, class, died, bytes, samples, peak): &(u64, u64, u32, u32, u64, u64, u32)| {
                let mut row = Row::EMPTY;
                row.path[..DEPTH - 2].copy_from_slice(&[Place(site), Place(frame)]);
                (row.class, row.bytes, row.samples, row.peak) = (class, bytes, samples, peak);
                row.died[frame as usize % AGES] = died;
                row
            };
            let mut rows: Vec<Row> = rows.iter().map(row).collect();
            rows.sort_by_key(|row| (row.path, row.class));
            let nothing = Verdict { site: Place::NONE, fate: Fate::GivenBack };
            let mut verdicts = vec![nothing; room];
            let len = judge(&rows, Seen { mean: mean >> 20, clock, runs }, &mut verdicts);
            prop_assert!(len <= room);
            prop_assert!(verdicts[..len].windows(2).all(|two| two[0].site < two[1].site));
        }
    }
}
