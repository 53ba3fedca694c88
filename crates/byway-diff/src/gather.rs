//! Looking at inputs: which changes each executes, and whether the versions seem to differ on it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::{Duration, Instant};

use byway_exec::ExecError;
use byway_input::{Behaviour, ConcreteInput, Ending};
use byway_report::diff::{ChangedLine, DifferenceKind, Found, Tried};
use byway_report::{ExecutedBy, Finding};
use byway_suite::Seed;

use crate::compare::{Comparison, Part, Runs};
use crate::error::DiffError;
use crate::lab::{Lab, Side};
use crate::moved::MovedLines;
use crate::reach::{ChangeTargets, Reach};
use crate::request::Version;
use crate::sequences::Sequences;
use crate::standing::Standing;
use crate::workers::RunnablePair;

/// Of inputs that execute the same changes and show the same kind of difference, so many are looked at closely.
const MOST_ALIKE: usize = 24;

/// To settle what was gathered takes this time, and so much more for each input; at most this fraction of all time.
const SETTLING: Duration = Duration::from_millis(1500);
const SETTLING_ONE: Duration = Duration::from_millis(200);
const MOST_SETTLING: u32 = 4;

/// An input to be looked at.
#[derive(Clone)]
pub struct Trial {
    /// What it was made of.
    pub base: Arc<Seed>,
    /// The input.
    pub input: ConcreteInput,
    /// How it was come by.
    pub found: Found,
}

/// What came of an input.
#[derive(Debug, Clone, Copy, Default)]
pub struct Looked {
    /// Whether it executes a change, or nobody can tell.
    pub may_differ: bool,
    /// Whether the versions seem to differ on it.
    pub differs: bool,
    /// Whether the new version seems to differ from the golden one as well.
    pub is_error: bool,
    /// How long both versions took as they were built.
    pub elapsed: Duration,
}

/// An input on which the versions seem to differ.
pub struct SuspectedDifference {
    /// The input.
    pub trial: Trial,
    /// The changes that it executes.
    pub reached: BTreeSet<usize>,
    /// The kind of difference.
    pub kind: DifferenceKind,
    /// What both versions did.
    pub first: (Behaviour, Behaviour),
    /// When that was.
    pub when: Instant,
}

/// What is known of a pair of versions while inputs are looked at.
pub struct DiffContext<'a> {
    /// The versions, and where they run.
    pub site: RunnablePair<'a>,
    /// The changes.
    pub targets: ChangeTargets,
    /// The same with their sources.
    pub lines: Vec<ChangedLine>,
    /// What texts of the old version say only of where it stands.
    pub old: Standing,
    /// The same of the new one: nothing.
    pub new: Standing,
    /// The same of the golden one.
    pub golden: Standing,
    /// Whether what a version does may depend on when it runs; looked up when the first difference is confirmed.
    pub may_see_clock: LazyLock<bool, Box<dyn FnOnce() -> bool + Send + Sync + 'a>>,
    /// Whether runs of the same version were seen to differ.
    pub varies: AtomicBool,
    /// What was gathered so far.
    pub gathered: Mutex<Gathered>,
    /// Which sequences of changes are executed, if that is looked at.
    pub sequences: Option<Arc<Sequences>>,
    /// When it is time to end.
    pub deadline: Instant,
}

/// What came of the inputs so far.
#[derive(Default)]
pub struct Gathered {
    /// By kind and executed changes.
    candidates: BTreeMap<(DifferenceKind, BTreeSet<usize>), Vec<SuspectedDifference>>,
    /// Which inputs execute each change.
    pub reached: BTreeMap<usize, Reached>,
    /// By block of the new version: which inputs executed it.
    pub executed: Vec<ExecutedBy>,
    /// How many were tried.
    pub tried: Tried,
    /// The parts that vary between runs of the same version, and on how many inputs.
    pub masked: BTreeMap<String, u64>,
    /// The parts that say where statements stand, and on how many inputs.
    pub positions: BTreeMap<String, u64>,
    /// How many inputs were not looked at closely, since others differ alike and are simpler.
    pub put_off: u64,
    /// How many differences did not show again.
    pub unconfirmed: u64,
    /// How many could not be run again, or not in time.
    pub unsettled: u64,
}

/// The inputs that execute a change.
pub struct Reached {
    /// How many there are.
    pub inputs: u64,
    /// How many of them were given.
    pub given: u64,
    /// The first of them.
    pub first: String,
}

impl Gathered {
    /// Notes what an input executes.
    fn note_reach(&mut self, trial: &Trial, reach: &Reach) {
        let is_given = trial.found == Found::Given;
        for &change in &reach.changes {
            let new = || Reached { inputs: 0, given: 0, first: trial.name() };
            let reached = self.reached.entry(change).or_insert_with(new);
            reached.inputs += 1;
            reached.given += u64::from(is_given);
        }
        let by = if is_given { ExecutedBy::Tests } else { ExecutedBy::Byway };
        self.executed.resize(self.executed.len().max(reach.counts.len()), ExecutedBy::Nothing);
        for (known, _) in self.executed.iter_mut().zip(&reach.counts).filter(|(_, count)| **count > 0) {
            *known = by.max(*known);
        }
    }

    /// Whether there is an input on which the versions seem to differ.
    pub fn has_candidates(&self) -> bool {
        !self.candidates.is_empty()
    }

    /// Takes the candidates, the simplest first.
    pub fn take(&mut self) -> Vec<SuspectedDifference> {
        let mut all: Vec<SuspectedDifference> = std::mem::take(&mut self.candidates).into_values().flatten().collect();
        all.sort_by_key(SuspectedDifference::complexity);
        all
    }

    fn add(&mut self, candidate: SuspectedDifference) {
        let alike = self.candidates.entry((candidate.kind, candidate.reached.clone())).or_default();
        if candidate.trial.found == Found::Given || alike.len() < MOST_ALIKE {
            alike.push(candidate);
            return;
        }
        self.put_off += 1;
        if let Some(worst) = alike.iter_mut().max_by_key(|known| known.complexity())
            && candidate.complexity() < worst.complexity()
        {
            *worst = candidate;
        }
    }

    /// Notes what says on an input where statements stand.
    fn note_positions(&mut self, comparison: &Comparison) {
        for part in &comparison.positions {
            *self.positions.entry(part.to_string()).or_default() += 1;
        }
    }

    /// Notes what varied on an input.
    pub fn note_masked(&mut self, comparison: &Comparison) {
        for part in &comparison.masked {
            *self.masked.entry(part.to_string()).or_default() += 1;
        }
    }
}

impl SuspectedDifference {
    /// Simple ones are near what was given, and small.
    fn complexity(&self) -> (usize, u64) {
        let changed = byway_report::changes(&self.trial.base.input, &self.trial.input);
        (changed.iter().map(byway_report::InputChange::bytes).sum(), self.trial.input.bytes())
    }
}

impl DiffContext<'_> {
    /// Whether it is time to settle what was gathered, and to end.
    pub fn is_over(&self) -> bool {
        self.left().is_zero()
    }

    /// The time that is left for other inputs.
    pub fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now()).saturating_sub(self.reserve())
    }

    /// The time that it takes to settle what was gathered, as far as anybody knows.
    fn reserve(&self) -> Duration {
        match self.gathered().candidates.values().map(Vec::len).sum::<usize>() {
            0 => Duration::ZERO,
            pending => (SETTLING + SETTLING_ONE * pending as u32).min(self.site.options.time / MOST_SETTLING),
        }
    }

    /// Whether a stage is to end: somebody interrupts, time is over, or the first difference is all that is wanted and may be there.
    pub fn must_stop(&self, interrupted: &AtomicBool) -> bool {
        let has_first = || self.site.options.first && self.gathered().has_candidates();
        interrupted.load(Ordering::Relaxed) || self.is_over() || has_first()
    }

    /// What was gathered so far.
    pub fn gathered(&self) -> std::sync::MutexGuard<'_, Gathered> {
        self.gathered.lock().expect("workers do not panic")
    }

    /// Which changes an input executes. Inputs that were made are counted as tried.
    pub fn reach(&self, lab: &mut Lab<'_>, trial: &Trial) -> Result<Option<Reach>, DiffError> {
        let reach = self.targets.reach(lab, &trial.input)?;
        reach.iter().for_each(|reach| self.gathered().note_reach(trial, reach));
        Ok(reach)
    }

    /// A version.
    pub fn version(&self, side: Side) -> &Version {
        if side == Side::Old { &self.site.pair.old } else { &self.site.pair.new }
    }

    /// The changes that a version executes, but no input so far.
    pub fn unreached(&self, side: Side) -> BTreeSet<usize> {
        let gathered = self.gathered();
        self.targets.executed_in(side).filter(|change| !gathered.reached.contains_key(change)).collect()
    }

    /// Runs an input in both versions, and keeps it if they seem to differ.
    pub fn look(&self, lab: &mut Lab<'_>, trial: Trial, reach: Option<&Reach>) -> Result<Looked, DiffError> {
        let (old, new, elapsed) = self.run_both(lab, &trial.input)?;
        let mut comparison = self.compare(lab, &trial.input, (&old, &new))?;
        let ends = old.iter().chain(&new).all(|run| !matches!(run.ending, Ending::TimedOut | Ending::OutOfMemory));
        if ends && !self.targets.is_empty() && self.targets.may_differ(reach) && lab.can_judge() {
            let (old, new) = self.judge(lab, &trial.input, false)?;
            if !are_same(&old, &new) {
                comparison.parts.insert(Part::Sanitizers);
            }
        }
        self.gathered().note_positions(&comparison);
        let kind = comparison.kind(old[0].ending, new[0].ending);
        let is_error = kind.is_some() && self.is_error(lab, &trial.input, (&new, &comparison))?;
        let looked = Looked { may_differ: true, differs: kind.is_some(), is_error, elapsed };
        if let Some(kind) = kind {
            let reached = reach.map(|reach| reach.changes.clone()).unwrap_or_default();
            let first = (old[0].clone(), new[0].clone());
            self.gathered().add(SuspectedDifference { trial, reached, kind, first, when: Instant::now() });
        }
        Ok(looked)
    }

    /// Both versions on an input: once, or twice if they are known to vary.
    fn run_both(
        &self,
        lab: &mut Lab<'_>,
        input: &ConcreteInput,
    ) -> Result<(Vec<Behaviour>, Vec<Behaviour>, Duration), ExecError> {
        let (mut old, mut new, mut elapsed) = (Vec::new(), Vec::new(), Duration::ZERO);
        let times = if self.varies.load(Ordering::Relaxed) { 2 } else { 1 };
        for _ in 0..times {
            for (side, runs) in [(Side::Old, &mut old), (Side::New, &mut new)] {
                let observed = lab.native(side, input, self.site.options.run_timeout)?;
                elapsed += observed.elapsed;
                runs.push(observed.behaviour);
            }
            if old.last() == new.last() {
                break;
            }
        }
        Ok((old, new, elapsed))
    }

    /// In what runs of both versions differ on an input, the sanitizers apart.
    pub fn compare(
        &self,
        lab: &mut Lab<'_>,
        input: &ConcreteInput,
        runs: (&[Behaviour], &[Behaviour]),
    ) -> Result<Comparison, ExecError> {
        if let ([old], [new]) = runs
            && old == new
        {
            return Ok(Comparison::default());
        }
        let old = Runs { runs: runs.0, standing: &self.old, moved: None };
        let new = Runs { runs: runs.1, standing: &self.new, moved: None };
        let ignore = self.site.options.ignore;
        let comparison = Comparison::new(old, new, ignore);
        if comparison.parts.is_empty() {
            return Ok(comparison);
        }
        let statements = &self.site.pair.changes.positions_only;
        let Some(moved) = MovedLines::executed(statements, lab, input)? else { return Ok(comparison) };
        let mut comparison = Comparison::new(Runs { moved: Some(&moved), ..old }, new, ignore);
        if self.targets.is_empty() || !self.targets.may_differ(self.targets.reach(lab, input)?.as_ref()) {
            comparison.is_of_positions((runs.0[0].ending, runs.1[0].ending));
        }
        Ok(comparison)
    }

    /// What the sanitizers say of both versions.
    pub fn judge(
        &self,
        lab: &mut Lab<'_>,
        input: &ConcreteInput,
        new_process: bool,
    ) -> Result<(Vec<Finding>, Vec<Finding>), ExecError> {
        Ok((lab.findings(Side::Old, input, new_process)?, lab.findings(Side::New, input, new_process)?))
    }
}

impl Trial {
    /// What it is called.
    pub fn name(&self) -> String {
        match self.found {
            Found::Given => self.base.name.clone(),
            found => format!("an input near {}, {found}", self.base.name),
        }
    }
}

/// Whether the sanitizers say the same of two versions, wherever the lines are.
pub fn are_same(old: &[Finding], new: &[Finding]) -> bool {
    old.iter().all(|finding| has(new, finding)) && new.iter().all(|finding| has(old, finding))
}

/// Whether a finding is among others.
pub fn has(all: &[Finding], finding: &Finding) -> bool {
    let is_same = |one: &Finding| one.kind == finding.kind && one.function == finding.function;
    all.iter().any(|one| one.id() == finding.id() || is_same(one))
}
