//! Judging inputs: what the sanitizers say of them that they do not say of the seed itself.

use std::sync::atomic::Ordering;

use byway_engine::TreeEdge;
use byway_exec::{JudgeOptions, Observed, Runner};
use byway_input::ConcreteInput;
use byway_report::{Ending, Finding, findings_in};
use byway_solve::{Changes, Failure};

use super::Shared;
use super::keep::is_suspicion;
use super::program::ProgramAccess;
use crate::annotate::{CheckedOperation, Violation};
use crate::error::CheckError;
use crate::seed::SeedRef;
use crate::seed_space::SuspectInput;

/// What led to an input.
#[derive(Debug, Clone, Copy)]
pub enum InputCause {
    /// It is a seed.
    Seed,
    /// It takes a path of its own.
    Path,
    /// It should make an operation fail.
    Operation(CheckedOperation),
}

/// An input to be judged.
#[derive(Debug, Clone)]
pub struct Case {
    /// The number of its seed.
    pub seed: SeedRef,
    /// What differs.
    pub changes: Changes,
    /// The distance from the seed's path.
    pub distance: u32,
    /// The last branch before the operation, or of the path.
    pub last: Option<TreeEdge>,
    /// Of a path: blocks with operations, each with the number of branches before it.
    pub visits: Vec<(u32, u32)>,
    /// What led to it.
    pub cause: InputCause,
}

/// What the sanitizers found in a run.
#[derive(Debug, Default)]
pub struct Shown {
    /// What the seed itself does not show.
    pub new: Vec<Finding>,
    /// What it does.
    pub own: Vec<Finding>,
}

impl Shared<'_> {
    /// Judges inputs that should make operations fail. Of several for the same place, one that does is enough. What cannot be
    /// run is kept as unconfirmed, and the others are tried all the same.
    pub(super) fn try_candidates(
        &self,
        runner: &mut Runner,
        program: &mut ProgramAccess<'_>,
        candidates: Vec<SuspectInput>,
        distance: u32,
    ) -> Result<(), CheckError> {
        let mut trouble = None;
        for candidate in candidates {
            let SuspectInput { operation, seed, last, options } = candidate;
            if self.should_stop() || program.statistics().is_confirmed(operation) {
                continue;
            }
            // What gives up does so behind a branch that the path did not take.
            let distance = if operation.violation == Violation::Abort { distance.max(1) } else { distance };
            let mut judged = None;
            let mut is_found = false;
            for changes in options {
                let case =
                    Case { seed, changes, distance, last, visits: Vec::new(), cause: InputCause::Operation(operation) };
                let (shown, why) = match self.examine(runner, program, &case) {
                    Ok((shown, ending)) => (shown, format!("the build with sanitizers ended with {ending}")),
                    Err(error) if matches!(error, CheckError::Report(_)) || self.should_stop() => return Err(error),
                    Err(error) => {
                        let why = format!("could not be run: {error}");
                        trouble.get_or_insert(error);
                        (Shown::default(), why)
                    }
                };
                judged = judged.or(Some((case, why)));
                // What the seed shows at the same place is the same defect.
                let is_there = |finding: &Finding| program.target.map.is_at(operation.site, finding);
                is_found = !shown.new.is_empty() || shown.own.iter().any(is_there);
                if shown.new.iter().chain(&shown.own).any(is_there) {
                    program.statistics().note_confirmed(operation);
                }
                if is_found {
                    break;
                }
            }
            if !is_found && judged.is_some() && operation.violation.is_guess() {
                // Only the sanitizers know the types: what they allow is no finding.
                program.statistics().note_allowed(operation);
                continue;
            }
            if let (false, Some((case, why))) = (is_found, judged) {
                let finding = self.supposed(program, operation);
                self.keep_unseen(runner, program, &case, &finding, Some(why))?;
            }
        }
        trouble.map_or(Ok(()), |error| Err(error.during("while inputs near it were judged")))
    }

    /// Judges an input. What the sanitizers found, and how it ended.
    pub(super) fn examine(
        &self,
        runner: &mut Runner,
        program: &mut ProgramAccess<'_>,
        case: &Case,
    ) -> Result<(Shown, Ending), CheckError> {
        let input = program.space().input(case.seed, &case.changes);
        let judged = self.judge(runner, program, case.seed, &input)?;
        Ok((self.keep_findings(runner, program, case, &judged)?, judged.ending()))
    }

    /// Keeps what a judged run shows. What the sanitizers found.
    pub(super) fn keep_findings(
        &self,
        runner: &mut Runner,
        program: &mut ProgramAccess<'_>,
        case: &Case,
        judged: &Observed,
    ) -> Result<Shown, CheckError> {
        let mut shown = Shown { new: self.findings(program, judged), own: Vec::new() };
        if !matches!(case.cause, InputCause::Seed) {
            self.set_own_apart(program, case.seed, &mut shown);
        }
        for finding in &shown.new {
            match is_suspicion(finding) {
                true => self.note_slow(runner, program, case, judged.ending())?,
                false => self.keep(runner, program, case, finding)?,
            }
        }
        shown.new.retain(|finding| !is_suspicion(finding));
        Ok(shown)
    }

    /// What the seed does too says nothing about an input near it. Without that, the first report that ends a run would have
    /// ended this one.
    fn set_own_apart(&self, program: &mut ProgramAccess<'_>, seed: SeedRef, shown: &mut Shown) {
        let own = program.seeds()[seed].own.clone();
        let found = std::mem::take(&mut shown.new);
        (shown.own, shown.new) = found.into_iter().partition(|finding| own.contains(&finding.id()));
        let end = shown.new.iter().position(Finding::ends_run).map_or(shown.new.len(), |end| end + 1);
        shown.new.truncate(end);
    }

    /// Runs an input near a seed in the build with sanitizers; it goes on behind reports if the seed itself has some.
    pub(super) fn judge(
        &self,
        runner: &mut Runner,
        program: &mut ProgramAccess<'_>,
        seed: SeedRef,
        input: &ConcreteInput,
    ) -> Result<Observed, CheckError> {
        self.judged.fetch_add(1, Ordering::Relaxed);
        let goes_on = program.seeds()[seed].goes_on;
        Ok(runner.judge(input, &JudgeOptions { goes_on, ..runner.judge_options() })?)
    }

    /// Judges a seed itself. If a report ends it, it is run again, so that it gets to its end.
    pub(super) fn judge_seed(
        &self,
        runner: &mut Runner,
        program: &mut ProgramAccess<'_>,
        seed: SeedRef,
        input: &ConcreteInput,
    ) -> Result<Observed, CheckError> {
        let judged = self.judge(runner, program, seed, input)?;
        let found = self.findings(program, &judged);
        if !found.last().is_some_and(|last| last.ends_run() && last.can_go_on()) {
            return Ok(judged);
        }
        program.seeds()[seed].goes_on = true;
        let on = self.judge(runner, program, seed, input);
        match on {
            Ok(on) if !matches!(on.ending(), Ending::TimedOut | Ending::OutOfMemory) => Ok(on),
            // What the report is about has broken it: it gets no further.
            _ => {
                program.seeds()[seed].goes_on = false;
                Ok(judged)
            }
        }
    }

    pub(super) fn findings(&self, program: &mut ProgramAccess<'_>, judged: &Observed) -> Vec<Finding> {
        findings_in(&program.target.sources, &program.name(), judged.report(), judged.ending())
    }

    /// What would be wrong if an operation can fail.
    fn supposed(&self, program: &mut ProgramAccess<'_>, operation: CheckedOperation) -> Finding {
        let map = &program.target.map.map;
        let site = map.site(operation.site);
        let position = site.and_then(|site| site.position);
        let (kind, message) = supposed_kind(operation.violation);
        Finding {
            kind: kind.to_owned(),
            message: message.to_owned(),
            file: position.map(|(file, _, _)| map[file].display().to_string()),
            line: position.map(|(_, line, _)| line),
            column: position.map(|(_, _, column)| column),
            function: site.map(|site| map.function_of(site.block).name.clone()),
            ..Finding::default()
        }
        .anchored(&program.target.sources)
    }
}

/// What the sanitizers would call it.
fn supposed_kind(asked: Violation) -> (&'static str, &'static str) {
    match asked {
        Violation::Failure(Failure::OutOfBounds) => ("wild-access", "an access can be outside of its object"),
        Violation::Failure(Failure::Length) => ("wild-access", "a length can be greater than the object"),
        Violation::Failure(Failure::Unterminated) => ("wild-access", "a string can be without an end"),
        Violation::Failure(Failure::DivisionByZero) => ("integer-divide-by-zero", "a divisor can be zero"),
        Violation::Failure(Failure::DivisionOverflow) => {
            ("signed-integer-overflow", "the least number can be divided by -1")
        }
        Violation::Failure(Failure::SignedOverflow) => ("signed-integer-overflow", "signed arithmetic can overflow"),
        Violation::Failure(Failure::Shift) => ("shift-exponent", "a shift can be by too many bits"),
        Violation::Failure(Failure::ShiftBase) => ("shift-base", "a signed number can lose bits in a shift"),
        Violation::Failure(Failure::Misaligned) => ("alignment", "an address can be misaligned"),
        Violation::Failure(Failure::AllocationSize) => ("allocation-size-too-big", "a size can be more than there is"),
        Violation::Abort => ("abort", "the program can give up here"),
    }
}
