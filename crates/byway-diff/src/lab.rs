//! Where both versions are run: one sandbox with all of them.

use std::sync::Arc;
use std::time::Duration;

use byway_exec::{ExecError, Executor, JudgeOptions, Observed, ProgramId, RunOptions, TraceOptions, TracedRun};
use byway_input::ConcreteInput;
use byway_report::{Finding, HANG, findings};
use byway_trace::Trace;

use crate::request::{Options, ProgramPair};

/// How much longer than others runs may take that are judged, or that are run again since they did not end.
pub const PATIENCE: u32 = 5;
/// What the judge calls a program that uses too much memory; natively it has another limit.
const OUT_OF_MEMORY: &str = "out-of-memory";

/// A version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Old,
    New,
    Golden,
}

/// A sandbox with all versions of a program.
pub struct Lab<'a> {
    executor: Executor,
    old: ProgramId,
    new: ProgramId,
    golden: Option<ProgramId>,
    pair: &'a ProgramPair,
    options: &'a Options,
}

impl<'a> Lab<'a> {
    /// A sandbox in which these inputs, and others with files in the same places, can be run.
    pub fn new<'i>(
        pair: &'a ProgramPair,
        options: &'a Options,
        inputs: impl IntoIterator<Item = &'i ConcreteInput>,
    ) -> Result<Lab<'a>, ExecError> {
        let mut executor = Executor::new(&options.sandbox, inputs)?;
        let old = executor.program(pair.old.variants.clone());
        let new = executor.program(pair.new.variants.clone());
        let golden = pair.golden.clone().map(|golden| executor.program(golden));
        Ok(Lab { executor, old, new, golden, pair, options })
    }

    fn id(&self, side: Side) -> Option<ProgramId> {
        match side {
            Side::Old => Some(self.old),
            Side::New => Some(self.new),
            Side::Golden => self.golden,
        }
    }

    /// Whether there is a version.
    pub fn has(&self, side: Side) -> bool {
        self.id(side).is_some()
    }

    /// Runs a version as it was built.
    pub fn native(&mut self, side: Side, input: &ConcreteInput, timeout: Duration) -> Result<Observed, ExecError> {
        let id = self.id(side).expect("the version is there");
        self.executor.native(id, input, &RunOptions { timeout, observe_files: !self.options.ignore.files })
    }

    /// How often each block of a version runs. `None` if nobody can tell.
    pub fn count(&mut self, side: Side, input: &ConcreteInput) -> Result<Option<Vec<u64>>, ExecError> {
        let id = self.id(side).expect("the version is there");
        match self.executor.count(id, input, self.options.run_timeout) {
            Ok(counted) => Ok(Some(counted.counts)),
            Err(error) if error.is_of_the_run() || matches!(error, ExecError::Input { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Whether somebody can tell how often blocks of the new version run.
    pub fn can_count(&self) -> bool {
        self.pair.new.variants.cov.is_some()
    }

    /// Whether the sanitizers can be asked about both versions.
    pub fn can_judge(&self) -> bool {
        let has = |variants: &byway_exec::Variants| variants.asan.is_some();
        !self.options.ignore.sanitizers && has(&self.pair.old.variants) && has(&self.pair.new.variants)
    }

    /// Whether the sanitizers can be asked about the golden version too.
    pub fn can_judge_golden(&self) -> bool {
        self.pair.golden.as_ref().is_some_and(|golden| golden.asan.is_some())
    }

    /// What the sanitizers say of a version. That it does not end, or uses too much memory, is for the program as it was built
    /// to say.
    pub fn findings(
        &mut self,
        side: Side,
        input: &ConcreteInput,
        new_process: bool,
    ) -> Result<Vec<Finding>, ExecError> {
        let id = self.id(side).expect("the version is there");
        let timeout = self.options.run_timeout * PATIENCE;
        let judged =
            self.executor.judge(id, input, &JudgeOptions { timeout, new_process, ..JudgeOptions::default() })?;
        let mut found = findings(&self.pair.name, judged.report(), judged.ending());
        found.retain(|finding| finding.kind != HANG && finding.kind != OUT_OF_MEMORY);
        Ok(found)
    }

    /// The trace of a version for a search: of the new one also what can fail, and of both what they write if that is wanted.
    pub fn trace_for(&mut self, side: Side, input: &ConcreteInput) -> Option<TracedRun> {
        let outputs = self.options.directions.joint && self.options.directions.outputs;
        self.traced(side, input, side == Side::New, outputs)
    }

    /// The trace of a version, if it can be followed.
    pub fn trace(&mut self, side: Side, input: &ConcreteInput) -> Option<Trace> {
        self.traced(side, input, false, false).map(|outcome| outcome.trace)
    }

    fn traced(&mut self, side: Side, input: &ConcreteInput, arithmetic: bool, outputs: bool) -> Option<TracedRun> {
        let options = TraceOptions {
            model: Arc::clone(&self.options.model),
            timeout: self.options.run_timeout,
            limits: self.options.limits,
            visits: false,
            arithmetic,
            near: false,
            outputs,
            repeats: arithmetic || outputs,
        };
        self.executor.trace(self.id(side)?, input, &options).ok()
    }
}
