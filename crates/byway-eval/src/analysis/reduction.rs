//! How much smaller seeds are made.

use serde::Serialize;

use crate::statistics::Spread;
use crate::{MeasuredForm, MeasuredSeed};

/// How much smaller seeds are made.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SizesReduced {
    /// Their path length as they are.
    pub path_length_before: Spread,
    /// Their path length made smaller.
    pub path_length_after: Spread,
    /// How much of its path each lost, in percent.
    pub path_rate: Spread,
    /// Their size as they are, in bytes.
    pub bytes_before: Spread,
    /// Their size made smaller, in bytes.
    pub bytes_after: Spread,
    /// How much of its size each lost, in percent.
    pub bytes_rate: Spread,
    /// How many seconds that took.
    pub seconds: Spread,
    /// How many runs that took.
    pub runs: Spread,
    /// Of how many seeds nothing more can be left out.
    pub minimal: usize,
}

impl SizesReduced {
    pub(super) fn of(seeds: &[MeasuredSeed]) -> Option<SizesReduced> {
        let spread = |value: &dyn Fn(&MeasuredSeed) -> f64| Spread::of(&seeds.iter().map(value).collect::<Vec<_>>());
        Some(SizesReduced {
            path_length_before: spread(&|seed| seed.original.path_length as f64)?,
            path_length_after: spread(&|seed| seed.reduced.path_length as f64)?,
            path_rate: spread(&|seed| rate(seed, |version| version.path_length))?,
            bytes_before: spread(&|seed| seed.original.bytes as f64)?,
            bytes_after: spread(&|seed| seed.reduced.bytes as f64)?,
            bytes_rate: spread(&|seed| rate(seed, |version| version.bytes))?,
            seconds: spread(&|seed| seed.reducing)?,
            runs: spread(&|seed| seed.runs as f64)?,
            minimal: seeds.iter().filter(|seed| seed.is_minimal).count(),
        })
    }
}

/// How much of something a seed lost, in percent.
pub fn rate(seed: &MeasuredSeed, size: impl Fn(&MeasuredForm) -> u64) -> f64 {
    match (size(&seed.original) as f64, size(&seed.reduced) as f64) {
        (0.0, _) => 0.0,
        (before, after) => 100.0 * (before - after) / before,
    }
}
