//! An executor with one program.

use std::sync::Arc;
use std::time::Duration;

use byway_confine::Handle;
use byway_input::{ConcreteInput, InputModel, SymbolicFiles};
use byway_trace::TraceLimits;

use crate::error::ExecError;
use crate::executor::Executor;
use crate::options::{Counted, JudgeOptions, Observed, RunOptions, SandboxOptions, TraceOptions};
use crate::run::TracedRun;
use crate::variants::{ProgramId, Variants};

/// How much longer than a traced run a judged one may take: a program that is merely slow does not hang.
const PATIENCE: u32 = 5;

/// Which program is run, in what sandbox, and under which limits.
#[derive(Debug, Clone)]
pub struct RunnerConfig {
    /// The program.
    pub variants: Variants,
    /// Where it runs.
    pub sandbox: SandboxOptions,
    /// Which bytes of inputs are symbolic.
    pub model: Arc<InputModel>,
    /// How much a trace may hold.
    pub limits: TraceLimits,
    /// After this time a run is killed; a judged one after five times as long.
    pub timeout: Duration,
}

impl RunnerConfig {
    /// For inputs that are all symbolic: arguments, standard input and files.
    pub fn new(
        variants: Variants,
        sandbox: byway_confine::SandboxSettings,
        limits: TraceLimits,
        timeout: Duration,
    ) -> RunnerConfig {
        let sandbox = SandboxOptions { settings: sandbox, ..SandboxOptions::default() };
        let sandbox = SandboxOptions { start_timeout: sandbox.start_timeout.max(timeout), ..sandbox };
        let model = InputModel { arguments: true, stdin: true, files: SymbolicFiles::OfInput, ..InputModel::default() };
        RunnerConfig { variants, sandbox, model: Arc::new(model), limits, timeout }
    }
}

/// An executor with one program, and the usual options of its runs.
#[derive(Debug)]
pub struct Runner {
    executor: Executor,
    program: ProgramId,
    config: RunnerConfig,
}

impl Runner {
    /// Makes a sandbox in which these inputs, and others with files in the same places, can be run.
    pub fn new<'a>(
        config: RunnerConfig,
        inputs: impl IntoIterator<Item = &'a ConcreteInput>,
    ) -> Result<Runner, ExecError> {
        let mut executor = Executor::new(&config.sandbox, inputs)?;
        let program = executor.program(config.variants.clone());
        Ok(Runner { executor, program, config })
    }

    /// The usual options of traced runs: everything that can fail is in the trace.
    pub fn trace_options(&self) -> TraceOptions {
        let RunnerConfig { model, limits, timeout, .. } = &self.config;
        let (model, limits, timeout) = (Arc::clone(model), *limits, *timeout);
        TraceOptions {
            model,
            timeout,
            limits,
            visits: true,
            arithmetic: true,
            near: false,
            outputs: false,
            repeats: false,
        }
    }

    /// The usual options of runs of the program as it was built.
    pub fn run_options(&self) -> RunOptions {
        RunOptions { timeout: self.patience(), ..RunOptions::default() }
    }

    /// The usual options of judged runs.
    pub fn judge_options(&self) -> JudgeOptions {
        JudgeOptions { timeout: self.patience(), ..JudgeOptions::default() }
    }

    /// How long a run may take that is traced, or counted.
    pub fn timeout(&self) -> Duration {
        self.config.timeout
    }

    /// How long a judged run may take.
    pub fn patience(&self) -> Duration {
        self.config.timeout * PATIENCE
    }

    /// Runs an input and follows it.
    pub fn trace(&mut self, input: &ConcreteInput, options: &TraceOptions) -> Result<TracedRun, ExecError> {
        self.executor.trace(self.program, input, options)
    }

    /// Runs an input in the build with sanitizers.
    pub fn judge(&mut self, input: &ConcreteInput, options: &JudgeOptions) -> Result<Observed, ExecError> {
        self.executor.judge(self.program, input, options)
    }

    /// Runs an input, and counts what it executes. After the timeout it is killed.
    pub fn count(&mut self, input: &ConcreteInput, timeout: Duration) -> Result<Counted, ExecError> {
        self.executor.count(self.program, input, timeout)
    }

    /// Runs an input in the program as it was built.
    pub fn native(&mut self, input: &ConcreteInput, options: &RunOptions) -> Result<Observed, ExecError> {
        self.executor.native(self.program, input, options)
    }

    /// A handle to end the sandbox with, whatever runs in it.
    pub fn handle(&self) -> Handle {
        self.executor.handle()
    }

    /// The executor.
    pub fn executor(&mut self) -> &mut Executor {
        &mut self.executor
    }
}
