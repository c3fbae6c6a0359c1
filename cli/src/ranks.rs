//! Whether one kind of run costs less than another.

/// The probability of ranks as different as these, or more, if both kinds of runs cost the same:
/// the test of H. B. Mann and D. R. Whitney ("On a test of whether one of two random variables is
/// stochastically larger than the other", 1947), two-sided, by the normal distribution, corrected for
/// ties and for continuity.
pub fn probability(one: &[f64], other: &[f64]) -> f64 {
    let (n, m) = (one.len() as f64, other.len() as f64);
    let all = n + m;
    let mut sorted: Vec<f64> = one.iter().chain(other).copied().collect();
    sorted.sort_by(f64::total_cmp);
    let ties: f64 = sorted
        .chunk_by(|a, b| a == b)
        .map(|tie| (tie.len() as f64).powi(3) - tie.len() as f64)
        .sum();
    let wins = |a: f64, b: f64| match a.total_cmp(&b) {
        std::cmp::Ordering::Greater => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Less => 0.0,
    };
    let u: f64 = one
        .iter()
        .flat_map(|&a| other.iter().map(move |&b| wins(a, b)))
        .sum();
    let variance = n * m / 12.0 * (all + 1.0 - ties / (all * (all - 1.0)));
    if variance.is_nan() || variance <= 0.0 {
        return 1.0;
    }
    let away = ((u - n * m / 2.0).abs() - 0.5).max(0.0);
    libm::erfc(away / (2.0 * variance).sqrt())
}

/// The middle one.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => sorted[n / 2],
        n => (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_are_those_of_the_tables() {
        let cases: [(&[f64], &[f64], f64); 4] = [
            // The same formula with erfc of Python's math.
            (
                &[1.0, 2.0, 3.0, 4.0, 5.0],
                &[6.0, 7.0, 8.0, 9.0, 10.0],
                0.012_185_780_355,
            ),
            (
                &[19.0, 22.0, 16.0, 29.0, 24.0],
                &[20.0, 11.0, 17.0, 12.0],
                0.111_346_886_533,
            ),
            (
                &[1.0, 1.0, 2.0, 3.0],
                &[1.0, 2.0, 2.0, 4.0],
                0.648_941_813_187,
            ),
            (&[1.0, 1.0], &[1.0, 1.0], 1.0),
        ];
        for (one, other, p) in cases {
            assert!(
                (probability(one, other) - p).abs() < 1e-9,
                "{}",
                probability(one, other)
            );
            assert_eq!(probability(one, other), probability(other, one));
        }
    }

    #[test]
    fn equal_runs_differ_as_often_as_they_may() {
        let mut state = 1_u64;
        let mut random = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f64
        };
        let differ = (0..2000)
            .filter(|_| {
                let one: Vec<f64> = (0..10).map(|_| random()).collect();
                let other: Vec<f64> = (0..10).map(|_| random()).collect();
                probability(&one, &other) < 0.05
            })
            .count();
        assert!((50..120).contains(&differ), "{differ}");
    }

    #[test]
    fn medians_are_in_the_middle() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
    }
}
