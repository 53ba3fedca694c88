//! What an exploration knows: all runs so far, the tree of their paths, expressions, coverage.

use std::collections::{HashSet, VecDeque};
use std::time::{Duration, Instant};

use byway_coverage::{CoverageModel, Covered};
use byway_engine::search::Frontier;
use byway_engine::tree::{BranchPath, RunId};
use byway_engine::{Explorer, Flip, FlipOutcome, Losses, OperationFailure};
use byway_exec::TracedRun;
use byway_input::{ConcreteInput, InputFile};
use byway_report::{ExecutedBy, Limit, LineCoverage};
use byway_solve::{Changes, Expr, ExpressionContext, InputSource, Variables};
use byway_trace::{Ending as Said, ReportedError, SourceKind, Trace, nth_name};
use std::path::{Path as FilePath, PathBuf};

use crate::counters::ExploreCounters;
use crate::input::{Origin, SIZE_OF, size_bytes};

/// A run that was made.
#[derive(Debug)]
struct Record {
    changes: Changes,
    losses: Losses,
    /// What the queries that led to it cost.
    cost: Duration,
    /// The number of the test, if it was kept.
    test: Option<u32>,
}

/// An input to run.
#[derive(Debug)]
pub struct QueuedInput {
    /// What is run.
    pub input: ConcreteInput,
    changes: Changes,
    /// The branch it was solved for; none for what was there at the beginning.
    flip: Option<Flip>,
    cost: Duration,
    is_kept: bool,
    /// Where the program assumes what cannot hold on the path of this input.
    refuted: Option<u32>,
}

impl QueuedInput {
    /// Whether it was solved for a branch, and not there at the beginning.
    pub fn is_solved(&self) -> bool {
        self.flip.is_some()
    }
}

/// An input to begin with.
#[derive(Debug, Default)]
struct Seed {
    changes: Changes,
    /// Whether it is among the tests already.
    is_kept: bool,
}

/// What a run came to.
#[derive(Debug)]
pub struct Learned {
    /// Its number.
    pub run: RunId,
    /// How many blocks it covered first.
    pub new_blocks: u32,
    /// Whether its path is new.
    pub is_new_path: bool,
    /// Whether it is to be forgotten: the program says that this input is none.
    pub is_void: bool,
    /// Whether it is among the tests already.
    pub is_kept: bool,
    /// The number of the test that it was made from.
    pub parent: Option<u32>,
    /// The branch that was flipped for it.
    pub flipped: Option<String>,
    /// Which strategy chose it.
    pub strategy: Option<usize>,
    /// The operation that it should make fail.
    pub operation: Option<OperationFailure>,
    /// If the program assumes at its end what cannot hold, what is to be said of it.
    pub refuted: Option<ReportedError>,
    /// What the program would like to hold of an input that takes this path, if it does not.
    pub wished: Option<Wished>,
}

/// A path on which something should hold.
#[derive(Debug)]
pub struct Wished {
    path: BranchPath,
    preferences: Vec<Expr>,
}

/// Everything that workers share.
pub struct State {
    context: ExpressionContext,
    explorer: Explorer,
    covered: Covered,
    /// The numbers of the lines that the first input covers.
    first_lines: HashSet<u32>,
    origin: Origin,
    runs: Vec<Record>,
    seeds: VecDeque<Seed>,
    /// What was counted.
    pub counters: ExploreCounters,
    /// How many inputs are being run.
    pub in_flight: usize,
}

impl State {
    /// Nothing was run; the first input is waiting.
    pub fn new(context: ExpressionContext, explorer: Explorer, origin: Origin) -> State {
        State {
            covered: Covered::new(CoverageModel::new(&explorer.program().map)),
            first_lines: HashSet::default(),
            context,
            explorer,
            origin,
            runs: Vec::new(),
            seeds: VecDeque::from([Seed::default()]),
            counters: ExploreCounters::default(),
            in_flight: 0,
        }
    }

    /// The expressions and the solver.
    pub fn context(&self) -> &ExpressionContext {
        &self.context
    }

    /// The paths so far.
    pub fn explorer(&self) -> &Explorer {
        &self.explorer
    }

    /// The same, to learn about operations.
    pub fn explorer_mut(&mut self) -> &mut Explorer {
        &mut self.explorer
    }

    /// The frontier.
    pub fn frontier(&self) -> &Frontier {
        self.explorer.frontier()
    }

    /// What the solver gave up on may be asked again, with more time. False if there is nothing.
    pub fn extend(&mut self) -> bool {
        self.explorer.extend(&mut self.context)
    }

    /// Lines and branches that were covered.
    pub fn covered(&self) -> &Covered {
        &self.covered
    }

    /// Notes which test a run became.
    pub fn note_test(&mut self, run: RunId, test: u32) {
        self.runs[run as usize].test = Some(test);
    }

    /// Adds an input to begin with, of a test that is kept already. `directory` is where the program runs, `original` what
    /// it finds there.
    pub fn add_seed(
        &mut self,
        input: &ConcreteInput,
        directory: &FilePath,
        original: impl Fn(&FilePath) -> Option<Vec<u8>>,
    ) {
        let start = &self.origin.start;
        let sizes = start.sizes;
        let mut bytes: Vec<(InputSource, Vec<u8>)> = Vec::new();
        let source = |kind, name: String, index| InputSource { kind, name, index };
        for (index, argument) in start.first.arguments.iter().enumerate() {
            let mut text = input.arguments.get(index).cloned().unwrap_or_default();
            text.resize(argument.len(), 0);
            let number = index as u32 + 1;
            bytes.push((source(SourceKind::Argument, format!("argv[{number}]"), number), text));
        }
        if start.model.argument_count.is_some() {
            let count = input.arguments.len().min(start.first.arguments.len()) as u8;
            bytes.push((source(SourceKind::ArgumentCount, "argc".to_owned(), 0), vec![count]));
        }
        if let Some(stdin) = &input.stdin {
            bytes.push((source(SourceKind::Stdin, "stdin".to_owned(), 0), stdin.clone()));
            if sizes {
                bytes.push((source(SourceKind::Size, format!("{SIZE_OF}stdin"), 0), size_bytes(stdin.len())));
            }
        }
        for (path, file) in input.files.iter() {
            let content = &*file.content;
            let traced = directory.join(path).display().to_string();
            bytes.push((source(SourceKind::File, traced.clone(), 0), content.clone()));
            if sizes {
                bytes.push((source(SourceKind::Size, format!("{SIZE_OF}{traced}"), 0), size_bytes(content.len())));
            }
            self.origin.note_file(&traced, path.clone(), || original(path).unwrap_or_else(|| content.clone()));
        }
        for (index, (name, content)) in input.objects.iter().enumerate() {
            let count = input.objects[..=index].iter().filter(|object| object.0 == *name).count() as u32;
            let called = if count > 1 { nth_name(name, count) } else { name.clone() };
            bytes.push((source(SourceKind::Object, called, index as u32), content.clone()));
            self.origin.note_object(index, name);
        }
        let mut model = Vec::new();
        for (source, content) in bytes {
            let variables = &mut self.context.variables;
            let number = variables.source_number(source);
            for (offset, &value) in content.iter().enumerate() {
                let place = byway_solve::InputPosition { source: number, offset: offset as u64 };
                model.push((variables.var(place), value));
            }
        }
        let changes = Changes::default().with(&model);
        let input =
            |changes: &Changes| self.with_files(&self.origin.input(&self.context.variables, changes), &original);
        match input(&changes) == input(&Changes::default()) {
            // It is the one that waits already.
            true => self.seeds.iter_mut().take(1).for_each(|first| first.is_kept = true),
            false => self.seeds.push_back(Seed { changes, is_kept: true }),
        }
    }

    /// The first input.
    pub fn first(&self) -> ConcreteInput {
        self.origin.input(&self.context.variables, &Changes::default())
    }

    /// An input with all the files that runs were seen to read, as far as they are there.
    pub fn with_files(&self, input: &ConcreteInput, original: impl Fn(&FilePath) -> Option<Vec<u8>>) -> ConcreteInput {
        let mut input = input.clone();
        for path in self.origin.found_files() {
            if let (None, Some(content)) = (input.files.get(path), original(path)) {
                input.files.insert(path.clone(), InputFile::from(content));
            }
        }
        input
    }

    /// Whether there is something to try without waiting for runs.
    pub fn is_exhausted(&self) -> bool {
        self.seeds.is_empty() && !self.explorer.has_refuted() && self.frontier().pending_count() == 0
    }

    /// The next input to run: one that was there at the beginning, or one for a branch of the searcher's choice. `None` if there was
    /// no branch, or no input for it.
    pub fn next(&mut self) -> Option<QueuedInput> {
        if let Some((run, site)) = self.explorer.take_refuted() {
            let changes = self.runs[run as usize].changes.clone();
            let input = self.origin.input(&self.context.variables, &changes);
            let cost = self.runs[run as usize].cost;
            return Some(QueuedInput { input, changes, flip: None, cost, is_kept: false, refuted: Some(site) });
        }
        if let Some(Seed { changes, is_kept }) = self.seeds.pop_front() {
            let input = self.origin.input(&self.context.variables, &changes);
            return Some(QueuedInput { input, changes, flip: None, cost: Duration::ZERO, is_kept, refuted: None });
        }
        let begun = Instant::now();
        let (origin, runs) = (&self.origin, &self.runs);
        let values = |variables: &_, run: RunId, var| origin.value(variables, &runs[run as usize].changes, var);
        let (flip, changed) = self.explorer.next(&mut self.context, &values)?;
        self.counters.changed_bytes += changed.len() as u64;
        let parent = &runs[flip.picked.run as usize];
        let changes = parent.changes.with(&changed);
        let input = origin.input(&self.context.variables, &changes);
        Some(QueuedInput {
            input,
            changes,
            flip: Some(flip),
            cost: parent.cost + begun.elapsed(),
            is_kept: false,
            refuted: None,
        })
    }

    /// Which lines were executed: by the first input, or only by others.
    pub fn line_coverage(&self) -> LineCoverage {
        let mut coverage = LineCoverage::new();
        for ((file, line, is_covered), number) in self.covered.lines().zip(0..) {
            let by = match is_covered {
                true if self.first_lines.contains(&number) => ExecutedBy::Tests,
                true => ExecutedBy::Byway,
                false => ExecutedBy::Nothing,
            };
            coverage.note(file, line, by);
        }
        coverage
    }

    /// The files that a run read and that nobody has heard of: how they are called in its trace.
    pub fn unknown_files(&self, trace: &Trace) -> Vec<String> {
        let files = trace.inputs().iter().filter(|input| input.kind == SourceKind::File);
        files.map(|input| input.name.clone()).filter(|name| !self.origin.knows_file(name)).collect()
    }

    /// Notes a file that was found.
    pub fn note_file(&mut self, traced: &str, path: PathBuf, content: Vec<u8>) {
        self.origin.note_file(traced, path, || content);
    }

    /// Learns from a run.
    pub fn learn(&mut self, task: &mut QueuedInput, outcome: &TracedRun) -> Learned {
        let trace = &outcome.trace;
        for input in trace.inputs().iter().filter(|input| input.kind == SourceKind::Object) {
            self.origin.note_object(input.index as usize, &input.given_name);
        }
        let added = self.explorer.add(&mut self.context, trace, None, task.cost, task.flip.as_ref());
        added.fresh.iter().for_each(|&block| self.covered.cover(block));
        if self.runs.is_empty() {
            self.first_lines.extend(added.fresh.iter().flat_map(|&block| self.covered.lines_of(block)));
        }
        let losses = Losses::of(trace);
        let parent = task.flip.as_ref().map(|flip| flip.picked.run);
        if let Some((flip, taken)) = task.flip.as_ref().zip(added.flip) {
            self.note_flip(flip, taken, outcome, losses);
        }
        let is_to_fail = task.flip.as_ref().is_some_and(|flip| flip.operation.is_some());
        self.counters.note_run(self.explorer.program(), outcome, is_to_fail);
        self.runs.push(Record { changes: std::mem::take(&mut task.changes), losses, cost: task.cost, test: None });
        // The path of an input that was to make an operation fail is not that of its run.
        let is_wished = !added.preferences.is_empty() && !is_to_fail;
        Learned {
            wished: is_wished.then_some(Wished { path: added.path, preferences: added.preferences }),
            run: added.run,
            new_blocks: added.fresh.len() as u32,
            is_new_path: added.is_new,
            is_void: task.refuted.is_none() && matches!(trace.ending(), Said::Assumption | Said::Silent),
            refuted: task.refuted.map(|site| self.invalid_assumption(site)),
            is_kept: task.is_kept,
            parent: parent.and_then(|parent| self.runs[parent as usize].test),
            flipped: task
                .flip
                .as_ref()
                .map(|flip| flip.picked.step.site)
                .or(task.refuted)
                .and_then(|site| self.explorer.program().position(site)),
            strategy: task.flip.as_ref().and_then(|flip| flip.picked.strategy),
            operation: task.flip.as_ref().and_then(|flip| flip.operation),
        }
    }

    /// What KLEE says where it knows that what is assumed cannot hold.
    fn invalid_assumption(&self, site: u32) -> ReportedError {
        let (file, line) = self.explorer.program().line(site).unwrap_or_default();
        let message = "invalid klee_assume call (provably false)".to_owned();
        ReportedError { message, suffix: "user.err".to_owned(), file, line }
    }

    /// An input that takes the path of a run, and for which more of that holds which the program prefers.
    pub fn preferred(&mut self, run: RunId, wished: &Wished) -> Option<(ConcreteInput, Changes)> {
        let (origin, runs) = (&self.origin, &self.runs);
        let values = |variables: &Variables, var| origin.value(variables, &runs[run as usize].changes, var);
        let changed = self.explorer.prefer(&mut self.context, &wished.path, &wished.preferences, &values)?;
        let changes = self.runs[run as usize].changes.with(&changed);
        Some((self.origin.input(&self.context.variables, &changes), changes))
    }

    /// Whether such an input does take the path. Then the run has it, and others are made from it.
    pub fn confirm(&mut self, run: RunId, wished: &Wished, changes: Changes, outcome: &TracedRun) -> bool {
        self.counters.runs += 1;
        self.counters.running += outcome.elapsed;
        let is_same = self.explorer.is_path_of(&mut self.context, &outcome.trace, &wished.path);
        if is_same {
            self.runs[run as usize].changes = changes;
        }
        is_same
    }

    fn note_flip(&mut self, flip: &Flip, taken: FlipOutcome, outcome: &TracedRun, losses: Losses) {
        let parent = self.runs[flip.picked.run as usize].losses;
        // Whether an operation fails is for the judge to say, and a detour promises nothing.
        if flip.operation.is_some() || flip.is_detour {
            return;
        }
        self.counters.flips.attempted += 1;
        let FlipOutcome::Missed(miss) = taken else {
            self.counters.flips.taken += 1;
            return;
        };
        let ended_badly = match () {
            () if outcome.timed_out => Some("no end in time"),
            () if outcome.status.code().is_none() => Some("crashed before"),
            () => None,
        };
        let cause = miss.describe(ended_badly, losses.or(parent));
        self.counters.remaining.add(Limit::Missed, &cause, &self.explorer.place(flip), 1);
        *self.counters.flips.missed.entry(cause).or_default() += 1;
    }

    /// A run that was asked for came to nothing.
    pub fn give_up(&mut self, task: &QueuedInput) {
        if let Some(flip) = &task.flip {
            self.explorer.give_up(flip);
            self.counters.flips.attempted += 1;
            self.counters.remaining.add(Limit::Broken, "", &self.explorer.place(flip), 1);
            *self.counters.flips.missed.entry("broke what observes it".to_owned()).or_default() += 1;
        }
    }
}
