//! How much is discovered.

use serde::Serialize;

use super::Significance;
use crate::Form;
use crate::outcome::{Outcomes, SuiteOutcome};
use crate::statistics::{Center, rank_sum_p};

/// How many branches suites discover that none of their original seeds covers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SuiteCoverage {
    /// By which strategy.
    pub strategy: String,
    /// From how many seeds suites are drawn.
    pub seeds: usize,
    /// How many seeds a suite has.
    pub size: usize,
    /// From original seeds.
    pub original: Center,
    /// From seeds in each other form.
    pub others: Vec<Compared>,
}

/// How many branches suites discover from seeds in another form than the original one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Compared {
    /// The form.
    pub form: Form,
    /// The middle of all suites.
    pub center: Center,
    /// How likely they differ as much from original seeds by chance. There is none if there is only one suite to draw.
    pub p: Option<f64>,
    /// Whether they are better than original seeds.
    pub verdict: Option<Significance>,
}

impl SuiteCoverage {
    pub(super) fn of(outcomes: &Outcomes) -> SuiteCoverage {
        // In the end, the order does not matter.
        let [original, others @ ..] = Form::ALL.map(|form| &outcomes.of_form(form)[0]);
        let compared = |other: &SuiteOutcome| Compared::of(other, original, outcomes.is_one_suite());
        SuiteCoverage {
            strategy: outcomes.strategy.name.clone(),
            seeds: outcomes.strategy.pool.len(),
            size: outcomes.size,
            original: center(original),
            others: others.into_iter().map(compared).collect(),
        }
    }
}

impl Compared {
    fn of(other: &SuiteOutcome, original: &SuiteOutcome, is_one_suite: bool) -> Compared {
        let p = rank_sum_p(&other.coverage, &original.coverage).filter(|_| !is_one_suite);
        let verdict = |p| Significance::of(center(other).mean, center(original).mean, p);
        Compared { form: other.form, center: center(other), p, verdict: p.map(verdict) }
    }
}

fn center(outcome: &SuiteOutcome) -> Center {
    Center::of(&outcome.coverage).expect("there is a suite")
}
