//! Running both versions again on an input on which they seem to differ.
//!
//! Every run has addresses of its own. If a version can see the clock, the first repetition comes at least a second after the first
//! run, so that the clock shows something else.

use std::sync::atomic::Ordering;
use std::time::Duration;

use byway_input::{Behaviour, ConcreteInput, Ending};
use byway_report::Finding;
use byway_report::diff::DifferenceKind;

use crate::compare::{Comparison, Part};
use crate::error::DiffError;
use crate::gather::{DiffContext, SuspectedDifference, are_same};
use crate::lab::{Lab, PATIENCE, Side};

/// Clocks show something else after this time.
const CLOCK: Duration = Duration::from_millis(1100);
/// So often both versions are run again; and so often if their runs vary.
const ROUNDS: usize = 2;
const VARYING_ROUNDS: usize = 8;
/// A run that does not end may take so many times as long as the other version.
const SLOWER: u32 = 50;
/// But not longer than this.
const LONGEST: Duration = Duration::from_secs(60);

/// A difference that showed again.
#[derive(Clone)]
pub struct Confirmed {
    /// What the old version did, run by run.
    pub old: Vec<Behaviour>,
    /// What the new version did.
    pub new: Vec<Behaviour>,
    /// What the sanitizers say of both.
    pub findings: (Vec<Finding>, Vec<Finding>),
    /// In what they differ.
    pub comparison: Comparison,
    /// The kind of difference.
    pub kind: DifferenceKind,
}

impl DiffContext<'_> {
    /// Runs both versions again on a candidate. `None` if they do not differ beyond what varies.
    pub fn confirm(&self, lab: &mut Lab<'_>, candidate: &SuspectedDifference) -> Result<Option<Confirmed>, DiffError> {
        if *self.may_see_clock {
            std::thread::sleep(CLOCK.saturating_sub(candidate.when.elapsed()));
        }
        let first = (candidate.kind != DifferenceKind::Hang).then(|| candidate.first.clone());
        let confirmed = self.repeat(lab, &candidate.trial.input, first, ROUNDS)?;
        let mut gathered = self.gathered();
        match &confirmed {
            Ok(confirmed) => gathered.note_masked(&confirmed.comparison),
            Err(comparison) => {
                gathered.note_masked(comparison);
                gathered.unconfirmed += u64::from(comparison.masked.is_empty());
            }
        }
        Ok(confirmed.ok())
    }

    /// Runs both versions so many times, and more often if their runs vary. What differs, or at least what varies.
    pub fn repeat(
        &self,
        lab: &mut Lab<'_>,
        input: &ConcreteInput,
        first: Option<(Behaviour, Behaviour)>,
        rounds: usize,
    ) -> Result<Result<Confirmed, Comparison>, DiffError> {
        let (mut old, mut new): (Vec<_>, Vec<_>) = first.into_iter().unzip();
        let findings = match lab.can_judge() && !self.targets.is_empty() {
            true => self.judge(lab, input, true)?,
            false => Default::default(),
        };
        let (mut round, mut wanted) = (0, rounds.max(1));
        let mut comparison = Comparison::default();
        while round < wanted {
            let (before, after) = self.run_patiently(lab, input)?;
            old.push(before);
            new.push(after);
            comparison = self.compare(lab, input, (&old, &new))?;
            if !are_same(&findings.0, &findings.1) {
                comparison.parts.insert(Part::Sanitizers);
            }
            if comparison.parts.is_empty() {
                return Ok(Err(comparison));
            }
            if !comparison.masked.is_empty() {
                self.varies.store(true, Ordering::Relaxed);
                wanted = rounds.max(VARYING_ROUNDS);
            }
            round += 1;
        }
        let kind = comparison.kind(old[0].ending, new[0].ending).expect("some part differs");
        Ok(Ok(Confirmed { old, new, findings, comparison, kind }))
    }

    /// Both versions on an input. One that does not end has more time, by how long the other one takes.
    fn run_patiently(&self, lab: &mut Lab<'_>, input: &ConcreteInput) -> Result<(Behaviour, Behaviour), DiffError> {
        let usual = self.site.options.run_timeout;
        let mut old = lab.native(Side::Old, input, usual)?;
        let mut new = lab.native(Side::New, input, usual)?;
        let is_late = |ending: Ending| ending == Ending::TimedOut;
        if is_late(old.ending()) != is_late(new.ending()) {
            let other = if is_late(old.ending()) { new.elapsed } else { old.elapsed };
            let patience = (usual * PATIENCE).max(other * SLOWER).min(LONGEST.max(usual));
            let (side, slow) = if is_late(old.ending()) { (Side::Old, &mut old) } else { (Side::New, &mut new) };
            *slow = lab.native(side, input, patience)?;
        }
        Ok((old.behaviour, new.behaviour))
    }
}
