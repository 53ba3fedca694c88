//! How much is discovered.

use serde::Serialize;

use super::Verdict;
use crate::Form;
use crate::outcome::Outcomes;
use crate::statistics::{Center, rank_sum_p};

/// How many branches suites discover that none of their original seeds covers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Coverage {
    /// By which strategy.
    pub strategy: String,
    /// From how many seeds suites are drawn.
    pub seeds: usize,
    /// How many seeds a suite has.
    pub size: usize,
    /// From original seeds.
    pub before: Center,
    /// From reduced seeds.
    pub after: Center,
    /// How likely they differ as much by chance. There is none if there is only one suite to draw.
    pub p: Option<f64>,
    /// Whether reduced seeds are better.
    pub verdict: Option<Verdict>,
}

impl Coverage {
    pub(super) fn of(outcomes: &Outcomes) -> Coverage {
        let [before, after] = Form::ALL.map(|form| &outcomes.of_form(form)[0].coverage);
        let p = rank_sum_p(after, before).filter(|_| !outcomes.is_one_suite());
        let [before, after] = [before, after].map(|values| Center::of(values).expect("there is a suite"));
        Coverage {
            strategy: outcomes.strategy.name.clone(),
            seeds: outcomes.strategy.pool.len(),
            size: outcomes.size,
            before,
            after,
            p,
            verdict: p.map(|p| Verdict::of(after.mean, before.mean, p)),
        }
    }
}
