//! What a difference means.

use byway_input::{Behaviour, Ending};
use byway_report::Finding;
use byway_report::diff::Class;

use crate::compare::{Comparison, Part, Runs};
use crate::confirm::Confirmed;
use crate::gather::{DiffContext, are_same, has};

/// What the golden version did.
pub struct Golden {
    /// Run by run.
    pub runs: Vec<Behaviour>,
    /// What the sanitizers say of it, if they can be asked.
    pub findings: Option<Vec<Finding>>,
}

impl DiffContext<'_> {
    /// By which version agrees with the golden one, or by which one fails.
    pub fn class(&self, confirmed: &Confirmed, golden: Option<&Golden>) -> Class {
        let Some(golden) = golden else { return by_failure(confirmed) };
        let old = self.agrees(confirmed, (&confirmed.old, &confirmed.findings.0, &self.old), golden);
        let new = self.agrees(confirmed, (&confirmed.new, &confirmed.findings.1, &self.new), golden);
        match (old, new) {
            (true, false) => Class::Regression,
            (false, true) => Class::Progression,
            (false, false) => Class::IncompleteFix,
            (true, true) => Class::Unclassified,
        }
    }

    /// Whether a version does what the golden one does, in what the two versions differ.
    fn agrees(
        &self,
        confirmed: &Confirmed,
        (runs, findings, standing): (&[Behaviour], &[Finding], &crate::standing::Standing),
        golden: &Golden,
    ) -> bool {
        let golden_runs = Runs { runs: &golden.runs, standing: &self.golden, moved: None };
        let mut comparison =
            Comparison::new(Runs { runs, standing, moved: None }, golden_runs, self.site.options.ignore);
        if golden.findings.as_ref().is_some_and(|golden| !are_same(golden, findings)) {
            comparison.parts.insert(Part::Sanitizers);
        }
        comparison.parts.is_disjoint(&confirmed.comparison.parts)
    }
}

/// A crash, an endless run or a report of the sanitizers in one version only says which one is wrong.
fn by_failure(confirmed: &Confirmed) -> Class {
    let fails = |runs: &[Behaviour]| runs.iter().all(|run| run.ending.is_failure());
    let ends =
        |runs: &[Behaviour]| runs.iter().all(|run| !matches!(run.ending, Ending::TimedOut | Ending::OutOfMemory));
    let (old, new) = (fails(&confirmed.old), fails(&confirmed.new));
    let (before, after) = &confirmed.findings;
    let only = |one: &[Finding], other: &[Finding]| one.iter().any(|finding| !has(other, finding));
    match (old, new) {
        (false, true) => Class::Regression,
        (true, false) => Class::Progression,
        _ if !confirmed.comparison.parts.contains(&Part::Sanitizers) => Class::Unclassified,
        _ if !ends(&confirmed.old) || !ends(&confirmed.new) => Class::Unclassified,
        _ => match (only(before, after), only(after, before)) {
            (false, true) => Class::Regression,
            (true, false) => Class::Progression,
            _ => Class::Unclassified,
        },
    }
}
