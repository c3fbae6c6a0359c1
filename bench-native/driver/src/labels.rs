//! Where the names of points go in a drawing, so that none covers another or a point.

/// Of the letters, in pixels
pub const HEIGHT: i32 = 14;
/// What one letter takes on average, a little room included
const LETTER: i32 = 7;
/// What a point takes around its centre
const POINT: i32 = 8;

#[derive(Clone, Copy)]
pub struct Label {
    pub center: (i32, i32),
    half: (i32, i32),
    /// It lies so far from its point that a line must tell whose it is.
    pub far: bool,
    point: (i32, i32),
}

impl Label {
    /// At `step` pixels from the point, in the direction of (x, y) of -1, 0 and 1.
    fn at(point: (i32, i32), name: &str, (x, y): (i32, i32), step: i32) -> Label {
        let half = (name.len() as i32 * LETTER / 2, HEIGHT / 2 + 1);
        let center = (point.0 + x * (half.0 + step), point.1 + y * (half.1 + step));
        Label {
            center,
            half,
            far: step > STEPS[0],
            point,
        }
    }

    /// The place of its frame that is nearest to the point.
    pub fn near_point(&self) -> (i32, i32) {
        let near = |point: i32, center: i32, half: i32| point.clamp(center - half, center + half);
        (
            near(self.point.0, self.center.0, self.half.0),
            near(self.point.1, self.center.1, self.half.1),
        )
    }

    fn covers(&self, center: (i32, i32), half: (i32, i32)) -> bool {
        (self.center.0 - center.0).abs() < self.half.0 + half.0
            && (self.center.1 - center.1).abs() < self.half.1 + half.1
    }

    fn lies_within(&self, (x, y): (&std::ops::Range<i32>, &std::ops::Range<i32>)) -> bool {
        self.center.0 - self.half.0 >= x.start
            && self.center.0 + self.half.0 <= x.end
            && self.center.1 - self.half.1 >= y.start
            && self.center.1 + self.half.1 <= y.end
    }
}

const STEPS: [i32; 7] = [10, 20, 30, 42, 56, 72, 90];
const DIRECTIONS: [(i32, i32); 8] = [
    (1, 0),
    (-1, 0),
    (0, -1),
    (0, 1),
    (1, -1),
    (1, 1),
    (-1, -1),
    (-1, 1),
];

/// A label for each point, as near to it as is free; beside it where nothing is.
pub fn place(
    points: &[(i32, i32)],
    names: &[&str],
    (x, y): (std::ops::Range<i32>, std::ops::Range<i32>),
) -> Vec<Label> {
    let mut placed: Vec<Label> = Vec::new();
    for (&point, name) in points.iter().zip(names) {
        let free = STEPS
            .iter()
            .flat_map(|&step| DIRECTIONS.map(|direction| Label::at(point, name, direction, step)))
            .find(|label| {
                label.lies_within((&x, &y))
                    && placed
                        .iter()
                        .all(|other| !label.covers(other.center, other.half))
                    && points
                        .iter()
                        .all(|&other| !label.covers(other, (POINT, POINT)))
            });
        placed.push(free.unwrap_or_else(|| Label::at(point, name, DIRECTIONS[0], STEPS[0])));
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_label_covers_another() {
        let points: Vec<(i32, i32)> = (0..9).map(|n| (200 + n % 3, 200 + n)).collect();
        let labels = place(&points, &["tcmalloc-gperf"; 9], (0..800, 0..500));
        for (at, label) in labels.iter().enumerate() {
            assert!(
                labels[..at]
                    .iter()
                    .all(|other| !label.covers(other.center, other.half))
            );
            assert!(
                points
                    .iter()
                    .all(|&point| !label.covers(point, (POINT, POINT)))
            );
        }
    }
}
