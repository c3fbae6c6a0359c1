//! Ours against the best peer of a row: the ratio of the medians, how sure it is, and the
//! means over rows and groups.

use crate::samples::Samples;
use statrs::stats_tests::Alternative;
use statrs::stats_tests::mannwhitneyu::{MannWhitneyUMethod, mannwhitneyu};

const RESAMPLES: usize = 2000;

/// The rounds with even or odd numbers. The best peer is chosen on the odd ones and compared on
/// the even ones: who is best by luck is not by luck again.
pub fn half(samples: &Samples, odd: bool) -> Samples {
    let skip = usize::from(odd);
    let mut half = Samples::default();
    samples
        .values()
        .iter()
        .skip(skip)
        .step_by(2)
        .for_each(|&value| half.push(value));
    half
}

pub struct Ratio {
    pub value: f64,
    /// 95 % of resampled ratios lie between (B. Efron's bootstrap, percentile).
    pub low: f64,
    pub high: f64,
    /// That both come from one distribution (Mann and Whitney's U).
    pub p: f64,
}

/// The ratio of two medians; `None` where one has no samples or is 0.
pub fn ratio(ours: &Samples, theirs: &Samples) -> Option<Ratio> {
    let (a, b) = (ours.median()?, theirs.median()?);
    if b <= 0.0 {
        return None;
    }
    let mut random = fastrand::Rng::with_seed(1);
    let mut ratios: Vec<f64> = (0..RESAMPLES)
        .filter_map(|_| {
            let (a, b) = (resample(ours, &mut random)?, resample(theirs, &mut random)?);
            (b > 0.0).then_some(a / b)
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    let at = |share: f64| ratios[(share * (ratios.len() - 1) as f64).round() as usize];
    let p = mannwhitneyu(
        ours.values(),
        theirs.values(),
        MannWhitneyUMethod::AsymptoticInclContinuityCorrection,
        Alternative::TwoSided,
    )
    .map_or(1.0, |(_, p)| if p.is_nan() { 1.0 } else { p });
    Some(Ratio {
        value: a / b,
        low: at(0.025),
        high: at(0.975),
        p,
    })
}

/// The median of as many values, drawn with replacement.
fn resample(samples: &Samples, random: &mut fastrand::Rng) -> Option<f64> {
    let values = samples.values();
    let mut drawn = Samples::default();
    for _ in values {
        drawn.push(values[random.usize(..values.len())]);
    }
    drawn.median()
}

/// The geometric mean; `None` of nothing.
pub fn geomean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0);
    for value in values {
        sum += value.ln();
        count += 1;
    }
    (count > 0).then(|| (sum / f64::from(count)).exp())
}
