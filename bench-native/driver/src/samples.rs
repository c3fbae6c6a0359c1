//! The rounds of one arm on one row.

use statrs::statistics::{Data, OrderStatistics};

#[derive(Clone, Default)]
pub struct Samples(Vec<f64>);

impl Samples {
    pub fn push(&mut self, value: f64) {
        self.0.push(value);
    }

    pub fn values(&self) -> &[f64] {
        &self.0
    }

    /// The least of all, in place of the median: for a machine that is busy.
    pub fn keep_best(&self) -> Samples {
        let best = self.0.iter().copied().min_by(f64::total_cmp);
        Samples(best.into_iter().collect())
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn median(&self) -> Option<f64> {
        (!self.0.is_empty()).then(|| Data::new(self.0.clone()).median())
    }

    /// The distance of the quartiles as a share of the median.
    pub fn spread(&self) -> Option<f64> {
        let median = self.median()?;
        let mut data = Data::new(self.0.clone());
        Some(if median == 0.0 {
            0.0
        } else {
            (data.upper_quartile() - data.lower_quartile()) / median
        })
    }
}
