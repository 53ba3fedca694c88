//! Runs tests, one after the other, in a sandbox.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use byway_confine::SandboxSettings;
use byway_exec::{Executor, JudgeOptions, Observed, ProgramId, RunOptions, SandboxOptions, Variants};
use byway_input::{ConcreteInput, Ending, Environment};
use byway_report::diff::Difference;
use byway_report::{Build, HANG, Replay, Verdict, findings, verdict};

use crate::command::environment;
use crate::error::Error;
use crate::flags::ReplayFlags;

use super::builds::Chosen;

/// So often both versions of a difference are run: what varies is not compared.
const REPETITIONS: usize = 3;
/// What differences call what only the sanitizers see.
pub const SANITIZERS: &str = "sanitizers";

/// The directory for what surrounds a test from elsewhere.
const ROOT: &str = "root";

/// A sandbox, and what all runs in it have in common.
pub struct Runs {
    executor: Executor,
    /// By the program as the user knows it, and what is executed for it.
    programs: HashMap<(PathBuf, PathBuf), ProgramId>,
    environment: Environment,
    timeout: Duration,
}

impl Runs {
    /// Makes a sandbox in which these tests can be run.
    pub fn new(flags: &ReplayFlags, tests: &[Replay]) -> Result<Runs, Error> {
        let options = |places: Vec<PathBuf>| SandboxOptions {
            settings: SandboxSettings { memory: flags.memory, places, ..SandboxSettings::default() },
            unconfined: flags.unconfined,
            ..SandboxOptions::default()
        };
        // What surrounds a test is best set up where it was, but any place will do.
        let executor = match flags.unconfined {
            true => Executor::new(&options(Vec::new()), [])?,
            false => Executor::new(&options(places(tests)), []).or_else(|_| Executor::new(&options(Vec::new()), []))?,
        };
        Ok(Runs { executor, programs: HashMap::new(), environment: environment(), timeout: flags.timeout })
    }

    /// Runs a test and says whether it still shows what it showed.
    pub fn verdict(&mut self, test: &Replay, chosen: &Chosen) -> Result<Verdict, Error> {
        let base = test.base().filter(|base| self.executor.is_writable(base));
        let root = base.unwrap_or_else(|| self.executor.directory().join(ROOT));
        let input = test.input(&root, &self.environment)?;
        if let Some(difference) = &test.difference {
            return self.differs_still(difference, &input, chosen);
        }
        let program = self.program(chosen);
        let observed = self.run(program, &input, test, chosen.build)?;
        if let Some(differs) = self.ends_natively(program, &input, test, (chosen.build, observed.ending()))? {
            return Ok(differs);
        }
        let name = chosen.program.file_name().unwrap_or_default().to_string_lossy();
        let stderr = match chosen.build {
            Build::Sanitized => observed.report(),
            Build::Plain => observed.behaviour.stderr.beginning(),
        };
        Ok(verdict(&test.expected, (chosen.build, &chosen.sources), &name, stderr, observed.ending()))
    }

    /// Whether two versions still differ in some part in which they did.
    fn differs_still(
        &mut self,
        difference: &Difference,
        input: &ConcreteInput,
        chosen: &Chosen,
    ) -> Result<Verdict, Error> {
        let (old, new) = (&difference.old_program, &chosen.program);
        let sanitized = chosen.build == Build::Sanitized;
        let ids = [(old, chosen.old.clone()), (new, sanitized.then(|| chosen.executed.clone()))];
        let [old_id, new_id] =
            ids.map(|(native, asan)| self.executor.program(Variants { asan, ..Variants::of(native.clone()) }));
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let options = RunOptions { timeout: self.timeout, observe_files: true };
        for _ in 0..REPETITIONS {
            before.push(self.executor.native(old_id, input, &options)?.behaviour);
            after.push(self.executor.native(new_id, input, &options)?.behaviour);
            if [&before[0], &after[0]].iter().any(|one| one.ending == Ending::TimedOut) {
                break;
            }
        }
        let mut parts = byway_diff::differing((old, &before), (new, &after));
        if sanitized {
            let options = JudgeOptions { timeout: self.timeout, new_process: true, ..JudgeOptions::default() };
            let (before, after) =
                (self.executor.judge(old_id, input, &options)?, self.executor.judge(new_id, input, &options)?);
            let findings = |seen: &Observed| findings(&difference.program, seen.report(), seen.ending());
            if !byway_diff::are_same(&findings(&before), &findings(&after)) {
                parts.push(SANITIZERS.to_owned());
            }
        }
        Ok(match parts.iter().any(|part| difference.parts.contains(part)) {
            true => Verdict::Holds,
            false => Verdict::Differs(format!("no difference in {} any more", difference.parts.join(", "))),
        })
    }

    /// What does not end in the build with sanitizers hangs only if the program as it was built does not end either.
    fn ends_natively(
        &mut self,
        program: ProgramId,
        input: &ConcreteInput,
        test: &Replay,
        (build, ending): (Build, Ending),
    ) -> Result<Option<Verdict>, Error> {
        let is_hang = build == Build::Sanitized && test.expected.is_hang() && ending == Ending::TimedOut;
        if !is_hang {
            return Ok(None);
        }
        let ending = self.run(program, input, test, Build::Plain)?.ending();
        let differs = format!("no {HANG} any more: without sanitizers {ending}");
        Ok((ending != Ending::TimedOut).then_some(Verdict::Differs(differs)))
    }

    fn program(&mut self, chosen: &Chosen) -> ProgramId {
        let Chosen { program, executed, build, .. } = chosen;
        *self.programs.entry((program.clone(), executed.clone())).or_insert_with(|| {
            let asan = (*build == Build::Sanitized).then(|| executed.clone());
            self.executor.program(Variants { asan, ..Variants::of(program.clone()) })
        })
    }

    /// Runs a test as a user would.
    fn run(
        &mut self,
        program: ProgramId,
        input: &ConcreteInput,
        test: &Replay,
        build: Build,
    ) -> Result<Observed, Error> {
        let timeout = self.timeout;
        Ok(match build {
            Build::Plain => self.executor.native(program, input, &RunOptions { timeout, ..RunOptions::default() })?,
            Build::Sanitized => {
                let goes_on = test.expected.goes_on();
                let options = JudgeOptions { timeout, goes_on, new_process: true, ..JudgeOptions::default() };
                self.executor.judge(program, input, &options)?
            }
        })
    }
}

/// The directories that tests from test suites were below, as far as they are there.
fn places(tests: &[Replay]) -> Vec<PathBuf> {
    let bases = tests.iter().filter_map(Replay::base);
    let mut places: Vec<PathBuf> = bases.filter(|base| is_place(base)).collect();
    places.sort();
    places.dedup();
    places
}

fn is_place(base: &Path) -> bool {
    base.is_dir() && base.parent().is_some()
}
