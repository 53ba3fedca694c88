//! The paths of runs, and inputs for branches off them.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use byway_report::{Limit, Remainder};
use byway_solve::{Answer, Pool, Solver, Source, Var, Variables};
use byway_trace::Trace;

use crate::flip;
use crate::program::Program;
use crate::recorder::Recorder;
use crate::search::{self, Frontier, Picked, Ran};
use crate::steps::Steps;
use crate::tree::{Constraint, Outcome, Path, RunId};
use crate::way::{Maker, Way};

/// The paths of all runs so far, the expressions on them, and who chooses where to leave them.
pub struct Paths {
    program: Arc<Program>,
    pool: Pool,
    variables: Variables,
    solver: Solver,
    recorder: Option<Recorder>,
    steps: Steps,
    /// The way that was asked about last.
    way: Way,
    frontier: Frontier,
    runs: RunId,
    /// How many sides of branches the solver gave up on, by site.
    unknown: BTreeMap<u32, u64>,
}

/// A branch for which there is an input.
#[derive(Debug)]
pub struct Flip {
    /// The branch.
    pub picked: Picked,
    /// What must be said on the path.
    wanted: Vec<Constraint>,
}

/// A path that was added.
#[derive(Debug)]
pub struct Added {
    /// The number of its run.
    pub run: RunId,
    /// What it says.
    pub path: Path,
    /// The blocks that no run had covered.
    pub fresh: Vec<u32>,
    /// Whether no run had taken it.
    pub is_new: bool,
}

impl Paths {
    /// There are none yet.
    pub fn new(program: Arc<Program>, settings: &search::Settings, solver: Solver) -> Paths {
        let target = Arc::clone(&program);
        let frontier = Frontier::new(settings, program.graph(), move |step, side| target.target(step, side));
        Paths {
            program,
            pool: Pool::new(),
            variables: Variables::default(),
            solver,
            recorder: None,
            steps: Steps::default(),
            way: Way::default(),
            frontier,
            runs: 0,
            unknown: BTreeMap::new(),
        }
    }

    /// From now on, queries are recorded.
    pub fn record(&mut self, recorder: Recorder) {
        self.recorder = Some(recorder);
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The solver.
    pub fn solver(&self) -> &Solver {
        &self.solver
    }

    /// The expressions.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// What the bytes of inputs are called.
    pub fn variables(&self) -> &Variables {
        &self.variables
    }

    /// The same, to call more of them something.
    pub fn variables_mut(&mut self) -> &mut Variables {
        &mut self.variables
    }

    /// The frontier.
    pub fn frontier(&self) -> &Frontier {
        &self.frontier
    }

    /// Where a branch is in the program, if that is known.
    pub fn place(&self, flip: &Flip) -> String {
        self.program.position(flip.picked.step.called_from()).unwrap_or_default()
    }

    /// What was left undone, as far as it can be told from the paths alone.
    pub fn remaining(&self) -> Remainder {
        let mut remaining = Remainder::default();
        for (&site, &count) in &self.unknown {
            remaining.add(Limit::Unknown, "", &self.program.position(site).unwrap_or_default(), count);
        }
        remaining.add(Limit::Depth, "", "", self.frontier.tree().counts().too_deep);
        remaining
    }

    /// A branch of the searcher's choice, and the bytes that have to change for it in the input of the run that it is picked from.
    /// `None` if there was no branch, or no input for it. `value` says what a byte is in the input of a run.
    pub fn flip(&mut self, value: impl Fn(&Variables, RunId, Var) -> u8) -> Option<(Flip, Vec<(Var, u8)>)> {
        let picked = self.frontier.pick()?;
        let wanted: Vec<Constraint> = self.frontier.tree().constraints(picked.pending).collect();
        let goal = *wanted.last()?;
        let tree = self.frontier.tree();
        let mut maker = Maker { program: &self.program, steps: &mut self.steps, pool: &mut self.pool };
        self.way.go_to(tree, &mut maker, tree.place_of(picked.pending).0);
        let goal = self.steps.expression(&self.program, &mut self.pool, goal);
        let variables = &self.variables;
        let seed = |var| value(variables, picked.run, var);
        let answer = self.solver.solve(&mut self.pool, self.way.path(), goal, &seed);
        if let Some(recorder) = &mut self.recorder {
            recorder.note(&self.pool, self.way.path(), goal, &seed);
        }
        let outcome = match answer {
            Answer::Sat(model) => {
                let changed = model.into_iter().filter(|&(var, value)| seed(var) != value).collect();
                return Some((Flip { picked, wanted }, changed));
            }
            Answer::Unsat => Outcome::Infeasible,
            Answer::Unknown(_) => {
                *self.unknown.entry(picked.step.called_from()).or_default() += 1;
                Outcome::Unknown
            }
        };
        self.frontier.close(picked.pending, outcome);
        None
    }

    /// Adds the path of a run, for which queries took this time. `sources` are what its sources are called, if not as in the trace.
    pub fn add(&mut self, trace: &Trace, sources: Option<Vec<Source>>, cost: Duration) -> Added {
        let (pool, variables) = (&mut self.pool, &mut self.variables);
        let path = self.steps.path(&self.program, trace, sources, pool, variables, &mut self.solver);
        let blocks: Vec<u32> = trace.executed().collect();
        let run = self.runs;
        self.runs += 1;
        let repeated = self.frontier.tree().counts().repeated;
        let learned = self.frontier.insert(&Ran { run, path: &path, blocks: &blocks, cost });
        let is_new = self.frontier.tree().counts().repeated == repeated;
        Added { run, path, fresh: learned.fresh, is_new }
    }

    /// Says what became of a branch whose input was run. Where it came there with another condition, the tree has it elsewhere.
    pub fn close(&mut self, flip: &Flip, path: Option<&Path>) {
        if !path.is_some_and(|path| flip::is_same(&flip.wanted, path)) {
            self.frontier.close(flip.picked.pending, Outcome::Missed);
        }
    }
}

impl Flip {
    /// Whether a path takes the branch.
    pub fn is_taken(&self, path: &Path) -> bool {
        flip::is_taken(&self.wanted, path)
    }

    /// What a run did that did not take it.
    pub fn miss(&self, path: &Path, ended_badly: Option<&str>, losses: flip::Losses) -> String {
        flip::miss(&self.wanted, path, ended_badly, losses)
    }
}
