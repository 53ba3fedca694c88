//! What is reported of a run.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::ExitStatus;

use byway_exec::TracedRun;
use byway_trace::layout::Event;
use byway_trace::{
    Cause, Ending, EventKind, OutputCheck, SelfCheck, SourceKind, Trace, TraceLimits, is_model_site, output_check,
    self_check,
};
use serde::Serialize;

use crate::command::trace::native::Time;
use crate::command::trace::place::{Place, Places};

/// What is reported of a run. The fields are those of `--json`.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The program, as the user named it.
    pub program: PathBuf,
    /// How it ended.
    #[serde(skip)]
    pub status: ExitStatus,
    /// Its exit code, if it ended by itself.
    pub exit_code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// What the program itself said of its end, if it did.
    pub said: Option<String>,
    /// Whether it was killed since its time was up.
    pub timed_out: bool,
    /// The time of the run without instrumentation.
    pub native: Option<Time>,
    /// Why there is none.
    pub native_skipped: Option<&'static str>,
    /// The time of the traced run.
    pub instrumented: Time,
    /// How many times as much processor time the traced run took.
    pub ratio: Option<f64>,
    /// How many bytes of the input are symbolic.
    pub input_bytes: u32,
    /// Where they come from.
    pub inputs: Vec<InputReport>,
    /// How many expressions there are.
    pub nodes: usize,
    /// The bytes of objects that were read through symbolic addresses.
    pub snapshot_bytes: u64,
    /// The events of each kind.
    pub counts: BTreeMap<EventKind, Count>,
    /// How many blocks of the program were executed.
    pub blocks_executed: usize,
    /// How many events were left out, since they would have said the same again.
    pub repeated: u64,
    /// Where and why precision was lost.
    pub losses: Vec<LossReport>,
    /// The functions without a model that were given symbolic data, with the number of calls.
    pub unmodelled: BTreeMap<String, u64>,
    /// How often a label was found to be out of date.
    pub stale: u64,
    /// Whether the program replaced itself with another.
    pub replaced: bool,
    /// How many children it made.
    pub children: u32,
    /// How much the trace may hold.
    pub limits: LimitsReport,
    /// The limits that were reached.
    pub limits_reached: Vec<Cause>,
    /// Whether expressions are worth what the program computed.
    pub self_check: SelfCheckReport,
    /// Whether the expressions of written bytes evaluate to what was written, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_check: Option<OutputCheckReport>,
}

/// A source of input.
#[derive(Debug, Serialize)]
pub struct InputReport {
    /// What it is called.
    pub name: String,
    /// What it is.
    pub kind: SourceKind,
    /// How many of its bytes are symbolic.
    pub bytes: u32,
}

/// How often something happened.
#[derive(Debug, Default, Clone, Copy, Serialize)]
pub struct Count {
    /// How often.
    pub events: usize,
    /// At how many different places. For visits: how many blocks.
    pub sites: usize,
}

/// Where and why precision was lost.
#[derive(Debug, Serialize)]
pub struct LossReport {
    /// Why.
    pub cause: Cause,
    /// Where.
    #[serde(flatten)]
    pub place: Place,
    /// The function without a model.
    pub function: Option<String>,
    /// How often.
    pub count: u64,
}

/// How much a trace may hold.
#[derive(Debug, Serialize)]
pub struct LimitsReport {
    nodes: u32,
    events: u32,
    depth: u32,
    object_bytes: u32,
    input_bytes: u32,
    snapshot_bytes: u64,
}

impl From<TraceLimits> for LimitsReport {
    fn from(limits: TraceLimits) -> Self {
        LimitsReport {
            nodes: limits.nodes,
            events: limits.events,
            depth: limits.depth,
            object_bytes: limits.object,
            input_bytes: limits.input,
            snapshot_bytes: limits.snapshots,
        }
    }
}

/// What the self-check found.
#[derive(Debug, Serialize)]
pub struct SelfCheckReport {
    /// How many nodes were computed again.
    pub nodes: usize,
    /// How many events were compared.
    pub events: usize,
    /// How many values differ.
    pub mismatches: usize,
    /// The first of those, in words.
    pub first: Vec<String>,
}

impl From<SelfCheck> for SelfCheckReport {
    fn from(check: SelfCheck) -> Self {
        let in_words = check.first.iter().map(|found| {
            let (recorded, computed) = (found.recorded, found.computed);
            format!("{}: {recorded:#x} in the run, {computed:#x} computed: {}", found.what, found.expression)
        });
        let first = in_words.collect();
        SelfCheckReport { nodes: check.nodes, events: check.events, mismatches: check.mismatches, first }
    }
}

/// What the check of the written bytes found.
#[derive(Debug, Serialize)]
pub struct OutputCheckReport {
    /// How many written bytes depend on the input.
    pub bytes: usize,
    /// How many of those were compared with what arrived at standard output or standard error.
    pub arrived: usize,
    /// How many were in a buffer that was never written out.
    pub missing: usize,
    /// How many differ from the value of their expression.
    pub mismatches: usize,
    /// The first of those.
    pub first: Vec<OutputMismatchReport>,
}

/// A written byte that differs from the value of its expression.
#[derive(Debug, Serialize)]
pub struct OutputMismatchReport {
    /// Where the program wrote it.
    #[serde(flatten)]
    pub place: Place,
    /// The descriptor.
    pub descriptor: u32,
    /// The offset in its file.
    pub offset: u64,
    /// The byte that was written.
    pub written: u8,
    /// The byte that the expression evaluates to.
    pub computed: u8,
    /// The expression.
    pub expression: String,
}

impl OutputCheckReport {
    fn new(check: OutputCheck, trace: &Trace, places: &Places) -> OutputCheckReport {
        let first = check.first.into_iter().map(|found| OutputMismatchReport {
            place: places.of_site(trace.events()[found.event].site),
            descriptor: found.file,
            offset: found.offset,
            written: found.written,
            computed: found.computed,
            expression: found.expression,
        });
        OutputCheckReport {
            bytes: check.bytes,
            arrived: check.arrived,
            missing: check.missing,
            mismatches: check.mismatches,
            first: first.collect(),
        }
    }
}

impl fmt::Display for OutputMismatchReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OutputMismatchReport { place, descriptor, offset, written, computed, expression } = self;
        write!(formatter, "{place}: byte {offset} of descriptor {descriptor}: ")?;
        write!(formatter, "{written:#x} was written, {computed:#x} computed: {expression}")
    }
}

/// What a program said of its end, in words.
fn said(ending: Ending) -> Option<String> {
    match ending {
        Ending::Ordinary => None,
        Ending::Assumption => Some("what the program assumes does not hold".to_owned()),
        Ending::Silent => Some("the program wants nobody to be told".to_owned()),
        Ending::Error(error) => Some(format!("{} ({}), {}:{}", error.message, error.suffix, error.file, error.line)),
    }
}

impl Report {
    /// The report of a run.
    pub fn new(program: PathBuf, outcome: &TracedRun, native: Result<Time, &'static str>, places: &Places) -> Report {
        let trace = &outcome.trace;
        let header = trace.header();
        let instrumented = Time::new(outcome.cpu, outcome.elapsed);
        let cpu = native.ok().map(|time| time.cpu_seconds).filter(|&seconds| seconds > 0.0);
        let losses = losses(trace, places);
        let reached: BTreeSet<Cause> = losses.iter().map(|loss| loss.cause).filter(|cause| cause.is_limit()).collect();
        Report {
            program,
            status: outcome.status,
            exit_code: outcome.status.code(),
            signal: outcome.status.signal(),
            said: said(outcome.trace.ending()),
            timed_out: outcome.timed_out,
            native: native.ok(),
            native_skipped: native.err(),
            instrumented,
            ratio: cpu.map(|seconds| instrumented.cpu_seconds / seconds),
            input_bytes: header.input_bytes,
            inputs: inputs(trace),
            nodes: trace.node_count(),
            snapshot_bytes: header.snapshot_bytes,
            counts: counts(trace.events()),
            blocks_executed: trace.executed().count(),
            repeated: header.repeated,
            unmodelled: unmodelled(trace),
            losses,
            stale: header.stale,
            replaced: header.replaced != 0,
            children: header.children,
            limits: trace.limits().into(),
            limits_reached: reached.into_iter().collect(),
            self_check: self_check(trace).into(),
            output_check: outcome
                .outputs
                .as_ref()
                .map(|[stdout, stderr]| OutputCheckReport::new(output_check(trace, [stdout, stderr]), trace, places)),
        }
    }

    /// The events of a kind.
    pub fn count(&self, kind: EventKind) -> Count {
        self.counts.get(&kind).copied().unwrap_or_default()
    }
}

fn inputs(trace: &Trace) -> Vec<InputReport> {
    let inputs = trace.inputs().iter();
    inputs.map(|input| InputReport { name: input.name.clone(), kind: input.kind, bytes: input.bytes }).collect()
}

fn counts(events: &[Event]) -> BTreeMap<EventKind, Count> {
    let mut sites: HashMap<EventKind, BTreeSet<(u32, u32)>> = HashMap::new();
    let mut counts: BTreeMap<EventKind, Count> = EventKind::ALL.map(|kind| (kind, Count::default())).into();
    for event in events {
        let Some(kind) = EventKind::of(event.kind) else { continue };
        counts.entry(kind).or_default().events += 1;
        let site = match kind {
            EventKind::Visit | EventKind::Point => (event.label, 0),
            _ if is_model_site(event.site) => (event.site, event.extra),
            _ => (event.site, 0),
        };
        sites.entry(kind).or_default().insert(site);
    }
    for (kind, sites) in sites {
        counts.entry(kind).or_default().sites = sites.len();
    }
    counts
}

/// The losses of each cause, place and function, the most frequent of each cause first.
fn losses(trace: &Trace, places: &Places) -> Vec<LossReport> {
    let mut sums: BTreeMap<(Cause, Place, Option<String>), u64> = BTreeMap::new();
    for lost in trace.losses() {
        *sums.entry((lost.cause, places.of_site(lost.site), lost.function)).or_default() += lost.count;
    }
    let report = |((cause, place, function), count)| LossReport { cause, place, function, count };
    let mut losses: Vec<LossReport> = sums.into_iter().map(report).collect();
    losses.sort_by_key(|loss| (loss.cause, std::cmp::Reverse(loss.count)));
    losses
}

fn unmodelled(trace: &Trace) -> BTreeMap<String, u64> {
    let mut functions = BTreeMap::new();
    for lost in trace.losses().filter(|lost| lost.cause == Cause::Unmodelled) {
        *functions.entry(lost.function.unwrap_or_else(|| "unknown".to_owned())).or_default() += lost.count;
    }
    functions
}
