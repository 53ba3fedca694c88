//! What the layers of the solver did.

use std::time::{Duration, Instant};

use serde::Serialize;

use crate::query::Answer;

/// Who gave an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layer {
    /// The question was a constant.
    Constant,
    /// Sets of values of single bytes, and all combinations of a few.
    Domains,
    /// A change of one byte was tried.
    Trial,
    /// It was known.
    Cache,
    /// CaDiCaL.
    Sat,
    /// The external solver.
    External,
}

impl Layer {
    /// All layers, in their order.
    pub const ALL: [Layer; 6] =
        [Layer::Constant, Layer::Domains, Layer::Trial, Layer::Cache, Layer::Sat, Layer::External];

    /// Its name, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Layer::Constant => "constant",
            Layer::Domains => "domains",
            Layer::Trial => "trial",
            Layer::Cache => "cache",
            Layer::Sat => "sat",
            Layer::External => "external",
        }
    }
}

/// What a layer did.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct LayerStats {
    /// Questions answered with yes.
    pub sat: u64,
    /// With no.
    pub unsat: u64,
    /// Questions that it got and that nobody after it answered either.
    pub unknown: u64,
    /// The time spent in it, in seconds.
    pub seconds: f64,
}

/// What the solver did.
#[derive(Debug, Clone, Default, Serialize)]
pub struct SolverStats {
    /// By layer, in the order of [`Layer::ALL`].
    pub layers: [LayerStats; 6],
    /// How long answers took: how many are in each quarter of each power of two of nanoseconds.
    #[serde(skip)]
    times: Vec<u64>,
    /// Questions that the external solver answered too, and in the same way.
    pub cross_checked: u64,
}

impl SolverStats {
    /// How many questions there were.
    pub fn queries(&self) -> u64 {
        self.layers.iter().map(|layer| layer.sat + layer.unsat + layer.unknown).sum()
    }

    /// The time that half of the questions stayed below, to a quarter.
    pub fn median(&self) -> Duration {
        let half = self.queries().div_ceil(2);
        let mut count = 0;
        let bucket = self.times.iter().position(|&here| {
            count += here;
            count >= half
        });
        let bucket = bucket.unwrap_or(0);
        Duration::from_nanos(((5 + bucket as u64 % 4) << (bucket / 4)) / 4)
    }

    pub(super) fn note(&mut self, layer: Layer, answer: &Answer, total: Duration) {
        let stats = &mut self.layers[layer as usize];
        match answer {
            Answer::Sat(_) => stats.sat += 1,
            Answer::Unsat => stats.unsat += 1,
            Answer::Unknown(_) => stats.unknown += 1,
        }
        let nanos = (total.as_nanos() as u64).max(4);
        let power = nanos.ilog2() as usize;
        let bucket = power * 4 + (nanos >> (power - 2) & 3) as usize;
        if self.times.len() <= bucket {
            self.times.resize(bucket + 1, 0);
        }
        self.times[bucket] += 1;
    }

    pub(super) fn spend(&mut self, layer: Layer, since: Instant) {
        self.layers[layer as usize].seconds += since.elapsed().as_secs_f64();
    }
}
