//! What an exploration knows: all runs so far, the tree of their paths, expressions, coverage.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use byway_report::Input;
use byway_run::Outcome;
use byway_solve::{Answer, Pool, Solver, Source, Variables};
use byway_trace::{Ending as Said, SourceKind, Trace};
use std::path::{Path as FilePath, PathBuf};

use crate::flip::{self, Losses};
use crate::input::{Changes, Given, Origin, SIZE_OF, size_bytes};
use crate::program::{Lines, Program};
use crate::recorder::Recorder;
use crate::search::{Frontier, Picked, Ran};
use crate::steps::Steps;
use crate::tally::Tally;
use crate::tree::{Constraint, Outcome as Closed, RunId};
use crate::way::{Maker, Way};

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
pub struct Task {
    /// What is run.
    pub given: Given,
    changes: Changes,
    /// The branch it was solved for; none for what was there at the beginning.
    flip: Option<Flip>,
    cost: Duration,
    is_kept: bool,
}

#[derive(Debug)]
struct Flip {
    picked: Picked,
    wanted: Vec<Constraint>,
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
}

/// Everything that workers share.
pub struct State {
    program: Arc<Program>,
    pool: Pool,
    variables: Variables,
    solver: Solver,
    recorder: Option<Recorder>,
    steps: Steps,
    /// The way that was asked about last.
    way: Way,
    frontier: Frontier,
    lines: Lines,
    origin: Origin,
    runs: Vec<Record>,
    seeds: VecDeque<Seed>,
    /// What was counted.
    pub tally: Tally,
    /// How many inputs are being run.
    pub in_flight: usize,
}

impl State {
    /// Nothing was run; the first input is waiting.
    pub fn new(program: Arc<Program>, frontier: Frontier, solver: Solver, origin: Origin) -> State {
        State {
            lines: Lines::new(&program.map),
            program,
            pool: Pool::new(),
            variables: Variables::default(),
            solver,
            recorder: None,
            steps: Steps::default(),
            way: Way::default(),
            frontier,
            origin,
            runs: Vec::new(),
            seeds: VecDeque::from([Seed::default()]),
            tally: Tally::default(),
            in_flight: 0,
        }
    }

    /// From now on, queries are recorded.
    pub fn record(&mut self, recorder: Recorder) {
        self.recorder = Some(recorder);
    }

    /// The solver.
    pub fn solver(&self) -> &Solver {
        &self.solver
    }

    /// The expressions.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// The frontier.
    pub fn frontier(&self) -> &Frontier {
        &self.frontier
    }

    /// Lines and branches that were covered.
    pub fn lines(&self) -> &Lines {
        &self.lines
    }

    /// Notes which test a run became.
    pub fn note_test(&mut self, run: RunId, test: u32) {
        self.runs[run as usize].test = Some(test);
    }

    /// Adds an input to begin with, of a test that is kept already. `directory` is where the program runs, `original` what
    /// it finds there.
    pub fn add_seed(&mut self, input: &Input, directory: &FilePath, original: impl Fn(&FilePath) -> Option<Vec<u8>>) {
        let shape = &self.origin.shape;
        let sizes = shape.sizes;
        let mut bytes: Vec<(Source, Vec<u8>)> = Vec::new();
        let source = |kind, name: String, index| Source { kind, name, index };
        for (index, argument) in shape.arguments.iter().enumerate() {
            let mut text = input.arguments.get(index).cloned().unwrap_or_default();
            text.resize(argument.bytes.len(), 0);
            let number = index as u32 + 1;
            bytes.push((source(SourceKind::Argument, format!("argv[{number}]"), number), text));
        }
        if shape.count.is_some() {
            let count = input.arguments.len().min(shape.arguments.len()) as u8;
            bytes.push((source(SourceKind::ArgumentCount, "argc".to_owned(), 0), vec![count]));
        }
        if let Some(stdin) = &input.stdin {
            bytes.push((source(SourceKind::Stdin, "stdin".to_owned(), 0), stdin.clone()));
            if sizes {
                bytes.push((source(SourceKind::Size, format!("{SIZE_OF}stdin"), 0), size_bytes(stdin.len())));
            }
        }
        for (path, content) in &input.files {
            let traced = directory.join(path).display().to_string();
            bytes.push((source(SourceKind::File, traced.clone(), 0), content.clone()));
            if sizes {
                bytes.push((source(SourceKind::Size, format!("{SIZE_OF}{traced}"), 0), size_bytes(content.len())));
            }
            self.origin.note_file(&traced, path.clone(), || original(path).unwrap_or_else(|| content.clone()));
        }
        for (index, (name, content)) in input.objects.iter().enumerate() {
            bytes.push((source(SourceKind::Object, name.clone(), index as u32), content.clone()));
            self.origin.note_object(index, name);
        }
        let mut model = Vec::new();
        for (source, content) in bytes {
            let number = self.variables.source_number(source);
            for (offset, &value) in content.iter().enumerate() {
                let place = byway_solve::Place { source: number, offset: offset as u64 };
                model.push((self.variables.var(place), value));
            }
        }
        let changes = Changes::default().with(&model);
        let given = |changes: &Changes| self.with_files(&self.origin.given(&self.variables, changes), &original);
        match given(&changes) == given(&Changes::default()) {
            // It is the one that waits already.
            true => self.seeds.iter_mut().take(1).for_each(|first| first.is_kept = true),
            false => self.seeds.push_back(Seed { changes, is_kept: true }),
        }
    }

    /// An input with all the files that runs were seen to read, as far as they are there.
    pub fn with_files(&self, given: &Given, original: impl Fn(&FilePath) -> Option<Vec<u8>>) -> Given {
        let mut given = given.clone();
        for path in self.origin.found_files() {
            if let (false, Some(content)) = (given.files.contains_key(path), original(path)) {
                given.files.insert(path.clone(), content);
            }
        }
        given
    }

    /// Whether there is something to try without waiting for runs.
    pub fn is_exhausted(&self) -> bool {
        self.seeds.is_empty() && self.frontier.pending_count() == 0
    }

    /// The next input to run: one that was there at the beginning, or one for a branch of the searcher's choice. `None` if there was
    /// no branch, or no input for it.
    pub fn next(&mut self) -> Option<Task> {
        if let Some(Seed { changes, is_kept }) = self.seeds.pop_front() {
            let given = self.origin.given(&self.variables, &changes);
            return Some(Task { given, changes, flip: None, cost: Duration::ZERO, is_kept });
        }
        let picked = self.frontier.pick()?;
        self.solve(picked)
    }

    /// An input for a branch.
    fn solve(&mut self, picked: Picked) -> Option<Task> {
        let begun = Instant::now();
        let wanted: Vec<Constraint> = self.frontier.tree().constraints(picked.pending).collect();
        let goal = *wanted.last()?;
        let tree = self.frontier.tree();
        let mut maker = Maker { program: &self.program, steps: &mut self.steps, pool: &mut self.pool };
        self.way.go_to(tree, &mut maker, tree.place_of(picked.pending).0);
        let goal = self.steps.expression(&self.program, &mut self.pool, goal);
        let parent = &self.runs[picked.run as usize];
        let (origin, variables) = (&self.origin, &self.variables);
        let seed = |var| origin.value(variables, &parent.changes, var);
        let answer = self.solver.solve(&mut self.pool, self.way.path(), goal, &seed);
        if let Some(recorder) = &mut self.recorder {
            recorder.note(&self.pool, self.way.path(), goal, &seed);
        }
        match answer {
            Answer::Sat(model) => {
                let changed: Vec<_> = model.into_iter().filter(|&(var, value)| seed(var) != value).collect();
                self.tally.changed_bytes += changed.len() as u64;
                let changes = parent.changes.with(&changed);
                let given = origin.given(variables, &changes);
                let cost = parent.cost + begun.elapsed();
                Some(Task { given, changes, flip: Some(Flip { picked, wanted }), cost, is_kept: false })
            }
            Answer::Unsat => {
                self.frontier.close(picked.pending, Closed::Infeasible);
                None
            }
            Answer::Unknown(_) => {
                self.frontier.close(picked.pending, Closed::Unknown);
                None
            }
        }
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
    pub fn learn(&mut self, task: Task, outcome: &Outcome) -> Learned {
        let trace = &outcome.trace;
        for input in trace.inputs().iter().filter(|input| input.kind == SourceKind::Object) {
            self.origin.note_object(input.index as usize, &input.name);
        }
        let path = self.steps.path(&self.program, trace, &mut self.pool, &mut self.variables, &mut self.solver);
        let blocks: Vec<u32> =
            trace.blocks().iter().zip(0..).filter(|&(&hit, _)| hit != 0).map(|(_, block)| block).collect();
        let run = self.runs.len() as RunId;
        let repeated = self.frontier.tree().counts().repeated;
        let learned = self.frontier.insert(&Ran { run, path: &path, blocks: &blocks, cost: task.cost });
        let is_new_path = self.frontier.tree().counts().repeated == repeated;
        learned.fresh.iter().for_each(|&block| self.lines.cover(block));
        let losses = Losses::of(trace);
        let parent = task.flip.as_ref().map(|flip| flip.picked.run);
        if let Some(flip) = &task.flip {
            self.note_flip(flip, &path, outcome, losses);
        }
        self.tally.note_run(outcome);
        self.runs.push(Record { changes: task.changes, losses, cost: task.cost, test: None });
        Learned {
            run,
            new_blocks: learned.fresh.len() as u32,
            is_new_path,
            is_void: matches!(trace.ending(), Said::Assumption | Said::Silent),
            is_kept: task.is_kept,
            parent: parent.and_then(|parent| self.runs[parent as usize].test),
            flipped: task.flip.as_ref().and_then(|flip| self.program.position(flip.picked.step.site)),
            strategy: task.flip.as_ref().map(|flip| flip.picked.strategy),
        }
    }

    fn note_flip(&mut self, flip: &Flip, path: &crate::tree::Path, outcome: &Outcome, losses: Losses) {
        let taken = flip::is_taken(&flip.wanted, path);
        let parent = self.runs[flip.picked.run as usize].losses;
        self.tally.flips.attempted += 1;
        // Where it came there with another condition, the tree has it elsewhere.
        if !flip::is_same(&flip.wanted, path) {
            self.frontier.close(flip.picked.pending, Closed::Missed);
        }
        if taken {
            self.tally.flips.taken += 1;
            return;
        }
        let ended_badly = match () {
            () if outcome.timed_out => Some("no end in time"),
            () if outcome.status.code().is_none() => Some("crashed before"),
            () => None,
        };
        let cause = flip::miss(&flip.wanted, path, ended_badly, losses.or(parent));
        *self.tally.flips.missed.entry(cause).or_default() += 1;
    }

    /// A run that was asked for came to nothing.
    pub fn give_up(&mut self, task: &Task) {
        if let Some(flip) = &task.flip {
            self.frontier.close(flip.picked.pending, Closed::Missed);
            self.tally.flips.attempted += 1;
            *self.tally.flips.missed.entry("broke what observes it".to_owned()).or_default() += 1;
        }
    }
}
