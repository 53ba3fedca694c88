//! What a difference means.

use std::collections::BTreeSet;

use byway_exec::ExecError;
use byway_input::{Behaviour, ConcreteInput, Ending};
use byway_report::Finding;
use byway_report::diff::Class;

use crate::compare::{Comparison, Part, Runs};
use crate::confirm::Confirmed;
use crate::gather::{DiffContext, are_same, has};
use crate::lab::{Lab, Side};

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
        let parts = &confirmed.comparison.parts;
        let old = self.agrees(parts, (&confirmed.old, &confirmed.findings.0, &self.old), golden);
        let new = self.agrees(parts, (&confirmed.new, &confirmed.findings.1, &self.new), golden);
        match (old, new) {
            (true, false) => Class::Regression,
            (false, true) => Class::Progression,
            (false, false) => Class::IncompleteFix,
            (true, true) => Class::Unclassified,
        }
    }

    /// Whether the new version differs from the golden one, too, in what the versions differ on an input. Without a golden version nobody
    /// knows.
    pub fn is_error(
        &self,
        lab: &mut Lab<'_>,
        input: &ConcreteInput,
        (new, comparison): (&[Behaviour], &Comparison),
    ) -> Result<bool, ExecError> {
        if !lab.has(Side::Golden) {
            return Ok(false);
        }
        let runs = vec![lab.native(Side::Golden, input, self.site.options.run_timeout)?.behaviour];
        let (mut of_new, mut findings) = (Vec::new(), None);
        if comparison.parts.contains(&Part::Sanitizers) && lab.can_judge_golden() {
            of_new = lab.findings(Side::New, input, false)?;
            findings = Some(lab.findings(Side::Golden, input, false)?);
        }
        Ok(!self.agrees(&comparison.parts, (new, &of_new, &self.new), &Golden { runs, findings }))
    }

    /// Whether a version does what the golden one does, in what the two versions differ.
    fn agrees(
        &self,
        differing: &BTreeSet<Part>,
        (runs, findings, standing): (&[Behaviour], &[Finding], &crate::standing::Standing),
        golden: &Golden,
    ) -> bool {
        let golden_runs = Runs { runs: &golden.runs, standing: &self.golden, moved: None };
        let mut comparison =
            Comparison::new(Runs { runs, standing, moved: None }, golden_runs, self.site.options.ignore);
        if golden.findings.as_ref().is_some_and(|golden| !are_same(golden, findings)) {
            comparison.parts.insert(Part::Sanitizers);
        }
        comparison.parts.is_disjoint(differing)
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
