//! What is worth keeping of a run: an input that covers something new or fails, judged by the sanitizers.

use std::time::Duration;

use byway_exec::{JudgeOptions, Observed, RunOptions, Runner, TracedRun};
use byway_input::ConcreteInput;
use byway_report::{Discovery, Ending, Finding, FindingRef, HANG, Hang, Kept, Test, findings, findings_in};
use byway_trace::{Ending as Said, ReportedError};

use super::{Shared, lock};
use crate::error::ExploreError;
use crate::input::with_objects_of;
use crate::record;
use crate::state::Learned;

/// What is wrong with an input.
#[derive(Default)]
struct Verdict {
    /// What is wrong, and whether the sanitizers said so, or the program as it was built hangs too.
    findings: Vec<(Finding, bool)>,
    /// What the program wrote to standard error.
    report: Vec<u8>,
}

impl Shared<'_> {
    /// Keeps an input that covers something new or fails.
    pub(super) fn keep(
        &self,
        runner: &mut Runner,
        input: &ConcreteInput,
        outcome: &TracedRun,
        learned: &Learned,
    ) -> Result<(), ExploreError> {
        let ending = ending_of(outcome);
        let said = match outcome.trace.ending() {
            Said::Error(error) => Some(error),
            _ => learned.refuted.clone().filter(|_| !self.settings.silent_assumptions),
        };
        let suspicious = (ending.is_failure() || said.is_some()) && self.is_new_fault(ending, learned);
        let is_new = learned.new_blocks > 0 || (self.settings.all_paths && learned.is_new_path);
        let is_asked = learned.operation.is_some();
        if learned.is_void || learned.is_kept || !(is_new || suspicious || is_asked) {
            return Ok(());
        }
        let preferred = self.preferred(runner, ending, learned)?;
        let (input, outcome) = preferred.as_ref().map_or((input, outcome), |(input, outcome)| (input, outcome));
        let ending = ending_of(outcome);
        let input = &with_objects_of(input, &outcome.trace);
        let verdict = self.judge(runner, input, ending, said)?;
        self.note_operation(learned, &verdict);
        if !(is_new || suspicious) && verdict.findings.is_empty() {
            return Ok(());
        }
        let found = verdict.findings.iter();
        let found = found.map(|&(ref finding, confirmed)| FindingRef { confirmed, ..FindingRef::from(finding) });
        let test = Test {
            program: self.settings.program.clone(),
            input: lock(&self.state).with_files(input, |path| self.settings.original(path)),
            fixture: None,
            ending,
            kept: reason(&verdict, learned),
            findings: found.collect(),
            new_blocks: learned.new_blocks,
            seconds: self.elapsed(),
            parent: learned.parent,
            search: learned.strategy.map(|at| self.settings.search.search.strategies()[at].to_string()),
            flipped: learned.flipped.clone(),
            ktest: self.ktest(input),
        };
        let number = self.write(&test, &verdict)?;
        lock(&self.state).note_test(learned.run, number);
        Ok(())
    }

    /// An input that the program prefers (`klee_prefer_cex`) to one that is kept, and its run: on the same path.
    fn preferred(
        &self,
        runner: &mut Runner,
        ending: Ending,
        learned: &Learned,
    ) -> Result<Option<(ConcreteInput, TracedRun)>, ExploreError> {
        let Some(wished) = &learned.wished else { return Ok(None) };
        let Some((input, changes)) = lock(&self.state).preferred(learned.run, wished) else { return Ok(None) };
        let outcome = match self.trace(runner, &input) {
            Ok(outcome) => outcome,
            Err(error) if error.is_of_the_run() => return Ok(None),
            Err(error) => return Err(error),
        };
        let is_same = lock(&self.state).confirm(learned.run, wished, changes, &outcome);
        // An exit code may well be another.
        let is_same = is_same && ending_of(&outcome).is_failure() == ending.is_failure();
        Ok(is_same.then_some((input, outcome)))
    }

    /// If the operation that an input should make fail did, nobody asks about it again.
    fn note_operation(&self, learned: &Learned, verdict: &Verdict) {
        let Some(failure) = learned.operation else { return };
        let mut state = lock(&self.state);
        let is_there = |finding: &Finding| state.explorer().program().is_at(failure.site, finding);
        if verdict.findings.iter().any(|(finding, confirmed)| *confirmed && is_there(finding)) {
            state.explorer_mut().operations_mut().note_failed(failure);
        }
    }

    /// What the sanitizers say; if they say nothing of a failure, what is known without them.
    fn judge(
        &self,
        runner: &mut Runner,
        input: &ConcreteInput,
        ending: Ending,
        said: Option<ReportedError>,
    ) -> Result<Verdict, ExploreError> {
        let name = self.settings.program.file_name().unwrap_or_default().to_string_lossy();
        let judged = match self.judged(runner, &name, input) {
            // Nobody waits any more for what the sanitizers would say.
            Err(error) if error.is_of_the_sandbox() && self.driver.is_stopping() => None,
            judged => judged?,
        };
        let mut verdict = Verdict::default();
        let mut is_slow = false;
        if let Some(judged) = judged {
            let found = findings_in(&self.settings.sources, &name, judged.report(), judged.ending());
            let hangs = found.iter().any(|finding| finding.kind == HANG) && self.is_hang(runner, input)?;
            is_slow = ending == Ending::TimedOut && judged.ending() != Ending::TimedOut;
            let with_doubt = |finding: Finding| {
                let is_sure = finding.kind != HANG || hangs;
                (finding, is_sure)
            };
            verdict.findings = found.into_iter().map(with_doubt).collect();
            verdict.report = judged.report().to_vec();
        }
        if verdict.findings.is_empty() {
            let reported =
                |error: ReportedError| Finding::reported(&error.suffix, &error.message, &error.file, error.line);
            // What ends in the build with sanitizers only takes long to be followed.
            let ended = if is_slow { Vec::new() } else { findings(&name, b"", ending) };
            let unseen = ended.into_iter().chain(said.map(reported));
            verdict.findings = unseen.map(|finding| (finding, false)).collect();
        }
        Ok(verdict)
    }

    /// What the build with sanitizers does with an input; `None` if there is none. What its fork server shows counts if a new
    /// process shows it, as a user would see it.
    fn judged(&self, runner: &mut Runner, name: &str, input: &ConcreteInput) -> Result<Option<Observed>, ExploreError> {
        if self.settings.config.variants.asan.is_none() {
            return Ok(None);
        }
        let options = runner.judge_options();
        let judged = runner.judge(input, &options)?;
        if judged.ending() == Ending::TimedOut || findings(name, judged.report(), judged.ending()).is_empty() {
            return Ok(Some(judged));
        }
        Ok(Some(runner.judge(input, &JudgeOptions { new_process: true, ..options })?))
    }

    /// Whether what does not end in the build with sanitizers does not end as the program was built either.
    fn is_hang(&self, runner: &mut Runner, input: &ConcreteInput) -> Result<bool, ExploreError> {
        match self.hangs_natively(runner, input) {
            Err(error) if error.is_of_the_sandbox() && self.driver.is_stopping() => Ok(false),
            hangs => hangs,
        }
    }

    fn hangs_natively(&self, runner: &mut Runner, input: &ConcreteInput) -> Result<bool, ExploreError> {
        let first = lock(&self.state).first();
        let options = runner.run_options();
        let of_first = runner.native(&first, &options)?;
        // If the first input hangs itself, there is nothing to compare with.
        let like = if of_first.ending() == Ending::TimedOut { Duration::ZERO } else { of_first.elapsed };
        let Some(timeout) = Hang::patience(options.timeout, like) else { return Ok(false) };
        let native = runner.native(input, &RunOptions { timeout, ..options })?;
        Ok(Hang::judge(Ending::TimedOut, native.ending(), native.elapsed) == Hang::Confirmed)
    }

    fn write(&self, test: &Test, verdict: &Verdict) -> Result<u32, ExploreError> {
        let mut store = lock(&self.store);
        let number = store.keep(test)?;
        let report = &verdict.report;
        for &(ref finding, confirmed) in &verdict.findings {
            store.found(Discovery { finding, report, number, test, confirmed, changed: &[] })?;
        }
        Ok(number)
    }

    /// Whether a failure was not seen like this before: the same end after the same branch is judged once.
    fn is_new_fault(&self, ending: Ending, learned: &Learned) -> bool {
        lock(&self.judged).insert((ending, learned.flipped.clone()))
    }

    fn ktest(&self, input: &ConcreteInput) -> Option<Vec<u8>> {
        let wanted = self.settings.ktest || !input.objects.is_empty();
        wanted.then(|| record::ktest(&self.settings.program, &self.settings.start, input))
    }
}

fn ending_of(outcome: &TracedRun) -> Ending {
    Ending::of_run(outcome.status, outcome.timed_out, outcome.out_of_memory)
}

fn reason(verdict: &Verdict, learned: &Learned) -> Kept {
    match () {
        () if !verdict.findings.is_empty() => Kept::Failure,
        () if learned.new_blocks > 0 => Kept::Coverage,
        () => Kept::Path,
    }
}
