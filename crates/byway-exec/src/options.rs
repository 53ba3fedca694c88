//! What is chosen for a sandbox and for each run, and what comes of a run.

use std::sync::Arc;
use std::time::Duration;

use byway_input::{Behaviour, Ending, InputModel};
use byway_trace::TraceLimits;

/// What a sandbox is made of.
#[derive(Debug, Clone)]
pub struct SandboxOptions {
    /// What confines runs. Places that inputs need are added to its own.
    pub settings: byway_confine::SandboxSettings,
    /// Whether runs are not confined.
    pub unconfined: bool,
    /// How long a program may take to get to its `main`.
    pub start_timeout: Duration,
}

impl Default for SandboxOptions {
    fn default() -> SandboxOptions {
        let settings = byway_confine::SandboxSettings::default();
        SandboxOptions { settings, unconfined: false, start_timeout: Duration::from_secs(5) }
    }
}

/// How a program is run as it was built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunOptions {
    /// After this time the program is killed.
    pub timeout: Duration,
    /// Whether the behaviour says which files the run changed.
    pub observe_files: bool,
}

impl Default for RunOptions {
    fn default() -> RunOptions {
        RunOptions { timeout: TIMEOUT, observe_files: false }
    }
}

/// How the build with sanitizers is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JudgeOptions {
    /// After this time the program is killed.
    pub timeout: Duration,
    /// Whether the behaviour says which files the run changed.
    pub observe_files: bool,
    /// Whether the run goes on behind what AddressSanitizer reports; users know it to end there.
    pub goes_on: bool,
    /// Whether it is a new process, as a user would start it, and no child of a fork server.
    pub new_process: bool,
}

impl Default for JudgeOptions {
    fn default() -> JudgeOptions {
        JudgeOptions { timeout: TIMEOUT, observe_files: false, goes_on: false, new_process: false }
    }
}

/// How a run is traced.
#[derive(Debug, Clone, PartialEq)]
pub struct TraceOptions {
    /// Which bytes of the input are symbolic.
    pub model: Arc<InputModel>,
    /// After this time the program is killed.
    pub timeout: Duration,
    /// How much the trace may hold.
    pub limits: TraceLimits,
    /// Whether the trace says what can fail although its operands are constant: blocks with operations that can, and accesses to
    /// objects whose size is symbolic.
    pub visits: bool,
    /// Whether the trace has arithmetic that C does not define for all operands: of signed numbers, and shifts.
    pub arithmetic: bool,
    /// Whether the address is taken as it is where an object that is made of much input is read at a symbolic one: other places
    /// of such an object are other paths.
    pub near: bool,
    /// Whether the trace says which bytes that depend on the input leave the program, and where they go. Both outputs are kept.
    pub outputs: bool,
    /// Whether the trace has branches whose condition its path has said already.
    pub repeats: bool,
}

/// After this time a run is killed if its options say nothing else.
const TIMEOUT: Duration = Duration::from_secs(10);

/// What a program did with an input, and how long it took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observed {
    /// What it did.
    pub behaviour: Behaviour,
    /// The time from its beginning to its end.
    pub elapsed: Duration,
}

impl Observed {
    /// How it ended.
    pub fn ending(&self) -> Ending {
        self.behaviour.ending
    }

    /// What the sanitizers reported, among what the program wrote to standard error. Empty from a build without sanitizers.
    pub fn report(&self) -> &[u8] {
        self.behaviour.report.as_deref().unwrap_or_default()
    }
}

/// What a program executed for an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counted {
    /// How it ended.
    pub ending: Ending,
    /// How often each block ran, by block number.
    pub counts: Vec<u64>,
    /// The time from its beginning to its end.
    pub elapsed: Duration,
}
