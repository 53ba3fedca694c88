//! Symbolic execution from one seed, for a time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use byway_engine::search::{Frontier, SearchSettings};
use byway_engine::tree::RunId;
use byway_engine::{Explorer, Flip, Original, Program, resident_memory};
use byway_exec::{ExecError, Runner, TraceOptions, TracedRun};
use byway_input::ConcreteInput;
use byway_reduce::{Branches, SeedMeasure};
use byway_solve::{Changes, ExpressionContext, Solver};
use byway_suite::Seed;

use crate::measured::{Ended, Explored, Found};

/// No run has less time than this, even if that is more than is left.
const LEAST: Duration = Duration::from_millis(50);
/// How often is looked at our memory.
const LOOK: Duration = Duration::from_millis(100);

/// What is explored, and how long.
pub struct ExplorationTask<'a> {
    /// The program.
    pub program: &'a Arc<Program>,
    /// What counts as a branch.
    pub measure: &'a SeedMeasure,
    /// The branches that the seed covers.
    pub covered: Branches,
    /// How to search.
    pub search: SearchSettings,
    /// How long.
    pub time: Duration,
    /// When byway has taken so many bytes of memory, it ends.
    pub memory: u64,
    /// Whether somebody wants it to end.
    pub stop: &'a dyn Fn() -> bool,
    /// Called with each input before it is run.
    pub on_input: &'a mut dyn FnMut(&ConcreteInput),
}

/// Explores from a seed. `None` if somebody wanted it to end.
pub fn explore(
    runner: &mut Runner,
    seed: &Arc<Seed>,
    task: ExplorationTask<'_>,
    solver: Solver,
) -> Result<Option<Explored>, ExecError> {
    let options = TraceOptions { visits: false, arithmetic: false, ..runner.trace_options() };
    // Before the first run the program has to begin to wait for runs, which is not part of exploring.
    runner.trace(&seed.input, &options)?;
    let begun = Instant::now();
    let frontier = Frontier::of_program(task.program, &task.search, task.search.searchers());
    let mut exploration = Exploration {
        original: Original::new(Arc::clone(&seed.input)),
        context: ExpressionContext::new(solver),
        explorer: Explorer::new(Arc::clone(task.program), frontier, None).revisiting(task.search.revisits()),
        inputs: Vec::new(),
        begun,
        looked: begun,
        explored: Explored::default(),
        options,
        task,
    };
    exploration.run(runner, Tried::default(), None)?;
    let ended = loop {
        if (exploration.task.stop)() {
            return Ok(None);
        }
        if let Some(ended) = exploration.step(runner)? {
            break ended;
        }
    };
    let counts = exploration.explorer.frontier().tree().counts();
    let paths = counts.runs - counts.repeated;
    Ok(Some(Explored { ended, paths, seconds: begun.elapsed().as_secs_f64(), ..exploration.explored }))
}

/// An exploration that is going on.
struct Exploration<'a> {
    task: ExplorationTask<'a>,
    original: Original,
    context: ExpressionContext,
    explorer: Explorer,
    /// The inputs of runs.
    inputs: Vec<Tried>,
    begun: Instant,
    /// When our memory was looked at.
    looked: Instant,
    explored: Explored,
    options: TraceOptions,
}

/// The input of a run.
#[derive(Default)]
struct Tried {
    /// What it has other than the seed.
    changes: Changes,
    /// How long the queries took that led to it.
    cost: Duration,
}

impl Exploration<'_> {
    /// Takes the next branch, if there is an input for it. Says so if there is nothing more to do.
    fn step(&mut self, runner: &mut Runner) -> Result<Option<Ended>, ExecError> {
        if self.begun.elapsed() >= self.task.time {
            return Ok(Some(Ended::Time));
        }
        if self.looked.elapsed() >= LOOK {
            self.looked = Instant::now();
            if resident_memory().is_some_and(|bytes| bytes > self.task.memory) {
                return Ok(Some(Ended::Memory));
            }
        }
        if self.explorer.frontier().pending_count() == 0 {
            return Ok(Some(Ended::Exhausted));
        }
        let asked = Instant::now();
        let (original, inputs) = (&self.original, &self.inputs);
        let values = |variables: &_, run: RunId, var| original.value(variables, &inputs[run as usize].changes, var);
        if let Some((flip, changed)) = self.explorer.next(&mut self.context, &values) {
            let parent = &self.inputs[flip.picked.run as usize];
            let input = Tried { changes: parent.changes.with(&changed), cost: parent.cost + asked.elapsed() };
            self.run(runner, input, Some(flip))?;
        }
        Ok(None)
    }

    /// Runs an input, and learns from it.
    fn run(&mut self, runner: &mut Runner, input: Tried, flip: Option<Flip>) -> Result<(), ExecError> {
        let concrete = self.original.input(&self.context.variables, input.changes.iter());
        (self.task.on_input)(&concrete);
        let left = self.task.time.saturating_sub(self.begun.elapsed());
        let timeout = self.options.timeout.min(left.max(LEAST));
        let options = TraceOptions { timeout, ..self.options.clone() };
        let outcome = match runner.trace(&concrete, &options) {
            Err(error) if error.is_of_the_run() => {
                flip.iter().for_each(|flip| self.explorer.give_up(flip));
                return Ok(());
            }
            outcome => outcome?,
        };
        self.learn(&outcome, input, flip);
        Ok(())
    }

    fn learn(&mut self, outcome: &TracedRun, input: Tried, flip: Option<Flip>) {
        let sources = self.original.sources(&outcome.trace);
        let seconds = self.begun.elapsed();
        let added = self.explorer.add(&mut self.context, &outcome.trace, Some(sources), input.cost, flip.as_ref());
        self.inputs.push(input);
        self.explored.runs += 1;
        // What comes too late does not count.
        if seconds > self.task.time {
            return;
        }
        let seconds = seconds.as_secs_f64();
        for branch in added.fresh.iter().flat_map(|&block| self.task.measure.outcomes(block)) {
            // A function of a header is several functions of the program, whose branches are the same.
            let is_known = self.explored.found.iter().any(|found| found.branch == branch as u32);
            if !self.task.covered.contains(branch) && !is_known {
                self.explored.found.push(Found { seconds, branch: branch as u32 });
            }
        }
    }
}
