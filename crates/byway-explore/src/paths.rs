//! The paths of runs, and inputs for branches off them.

mod revisits;

use std::sync::Arc;
use std::time::Duration;

use byway_map::BlockId;
use byway_report::{Limit, Remainder};
use byway_solve::{Answer, Expr, Op, Pool, Refuted, Solver, Source, Var, Variables};
use byway_trace::Trace;

use rustc_hash::FxHashSet;

use crate::checks::Checks;
use crate::flip;
use crate::operations::{Asked, Operations};
use crate::program::Program;
use crate::recorder::Recorder;
use crate::search::{self, Frontier, Picked, Ran, Strategy};
use crate::steps::Steps;
use crate::texts;
use crate::tree::{Constraint, Outcome, Path, PendingId, RunId, Step, StepKind};
use crate::values::{self, Concretizations, Detours};
use crate::way::{Maker, Way};
use revisits::Revisits;

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
    /// The sides that the solver gave up on.
    unknown: Vec<PendingId>,
    /// How many times the first limits of a query are allowed now.
    effort: u32,
    operations: Operations,
    concretizations: Concretizations,
    detours: Detours,
    revisits: Revisits,
    /// Runs at whose end something was assumed that no input on their way meets, and where; each place once.
    refuted: Vec<(RunId, u32)>,
    refuted_places: FxHashSet<u32>,
}

/// A branch for which there is an input.
#[derive(Debug)]
pub struct Flip {
    /// The branch.
    pub picked: Picked,
    /// What must be said on the path.
    wanted: Vec<Constraint>,
    /// The operation that is to fail, if it is one.
    pub operation: Option<Asked>,
    /// Whether no pending waits for it. Either values that runs had on the way may be others: the input should take the branch behind
    /// another path, and what must be said is only what comes before these values. Or it is a revisit: another run took the branch.
    pub is_detour: bool,
}

/// A path that was added.
#[derive(Debug)]
pub struct Added {
    /// The number of its run.
    pub run: RunId,
    /// What it says.
    pub path: Path,
    /// The blocks that no run had covered.
    pub fresh: Vec<BlockId>,
    /// Whether no run had taken it.
    pub is_new: bool,
    /// What the program would like to hold, if not all of it does.
    pub wishes: Vec<Expr>,
}

/// What a query may cost grows by this factor when nothing else is left.
const MORE: u32 = 4;
/// So many wishes are looked at one by one.
const MOST_WISHES: usize = 256;
/// So many operations are asked about in a row, unless one can fail.
const ROW: usize = 64;

impl Paths {
    /// There are none yet. Operations of these checks are asked about.
    pub fn new(program: Arc<Program>, settings: &search::Settings, solver: Solver, checks: Option<Checks>) -> Paths {
        let target = Arc::clone(&program);
        let frontier = Frontier::new(settings, program.goals(), move |step, side| target.target(step, side));
        Paths {
            program,
            pool: Pool::new(),
            variables: Variables::default(),
            solver,
            recorder: None,
            steps: checks.map_or_else(Steps::default, Steps::with_operations),
            way: Way::default(),
            frontier,
            runs: 0,
            unknown: Vec::new(),
            effort: 1,
            operations: Operations::default(),
            concretizations: Concretizations::default(),
            detours: Detours::default(),
            revisits: Revisits::new(settings.search.strategies().contains(&Strategy::Rare)),
            refuted: Vec::new(),
            refuted_places: FxHashSet::default(),
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
        let tree = self.frontier.tree();
        for &pending in &self.unknown {
            let (node, side) = tree.place_of(pending);
            let place = self.program.position(tree.step(node, side).called_from()).unwrap_or_default();
            remaining.add(Limit::Unknown, "", &place, 1);
        }
        self.operations.add_remaining(&self.program, &mut remaining);
        remaining.add(Limit::Depth, "", "", tree.counts().too_deep);
        remaining
    }

    /// What was asked about operations.
    pub fn operations(&self) -> &Operations {
        &self.operations
    }

    /// The same, to say what became of an input.
    pub fn operations_mut(&mut self) -> &mut Operations {
        &mut self.operations
    }

    /// What was taken for its value, and how many other values were tried.
    pub fn concretizations(&self) -> Vec<byway_report::Concretization> {
        self.concretizations.list(&self.program, &self.steps)
    }

    /// Nothing else is left: what the solver gave up on may be asked again, with more time. False if there is nothing.
    pub fn extend(&mut self) -> bool {
        self.effort = self.effort.saturating_mul(MORE);
        self.solver.set_effort(self.effort);
        let unknown = std::mem::take(&mut self.unknown);
        let was_put_off = self.operations.extend(self.effort);
        let all: Vec<PendingId> = unknown.into_iter().chain(was_put_off).collect();
        all.iter().for_each(|&pending| self.frontier.reopen(pending));
        !all.is_empty()
    }

    /// How many times the first limits of a query are allowed now.
    pub fn effort(&self) -> u32 {
        self.effort
    }

    /// A side of the searcher's choice, and the bytes that have to change for it in the input of the run that it is picked from.
    /// `None` if there was none, or no input for it. `value` says what a byte is in the input of a run.
    pub fn flip(&mut self, value: impl Fn(&Variables, RunId, Var) -> u8) -> Option<(Flip, Vec<(Var, u8)>)> {
        if let Some(found) = self.revisit(&value) {
            return Some(found);
        }
        let mut picked = self.frontier.pick()?;
        // Most operations cannot fail, and that costs less than to choose a branch.
        for _ in 0..ROW {
            let found = self.try_to_take(picked, &value);
            if found.is_some() || picked.step.kind != StepKind::Operation {
                return found;
            }
            picked = self.frontier.pick_operation()?;
        }
        self.try_to_take(picked, &value)
    }

    fn try_to_take(
        &mut self,
        picked: Picked,
        value: &impl Fn(&Variables, RunId, Var) -> u8,
    ) -> Option<(Flip, Vec<(Var, u8)>)> {
        let operation = self.operation(&picked);
        if let Some(refusal) = operation.and_then(|asked| self.operations.refuses(asked, picked.pending)) {
            self.frontier.close(picked.pending, refusal);
            return None;
        }
        let answer = self.solve(&picked, operation.is_some(), value);
        if let Some(asked) = operation {
            self.operations.note(asked, &answer);
        }
        if picked.step.kind == StepKind::Concretization {
            self.concretizations.note(picked.step.called_from(), &answer);
        }
        let outcome = match answer {
            Answer::Sat(model) => {
                let variables = &self.variables;
                let changed = |&(var, new): &(Var, u8)| value(variables, picked.run, var) != new;
                let changed = model.into_iter().filter(changed).collect();
                let wanted = self.frontier.tree().constraints(picked.pending).collect();
                return Some((Flip { picked, wanted, operation, is_detour: false }, changed));
            }
            Answer::Unsat => Outcome::Infeasible,
            Answer::Unknown(_) => {
                self.unknown.push(picked.pending);
                Outcome::Unknown
            }
        };
        if picked.step.is_assumption() && outcome == Outcome::Infeasible && !self.depends_on_values() {
            self.note_refuted(picked.run, picked.step.place);
        }
        let detour = if outcome == Outcome::Infeasible { self.detour(&picked, value) } else { None };
        self.frontier.close(picked.pending, outcome);
        detour
    }

    /// If a branch cannot be taken because of what runs took for its value on the way, an input that takes it with another value.
    fn detour(
        &mut self,
        picked: &Picked,
        value: &impl Fn(&Variables, RunId, Var) -> u8,
    ) -> Option<(Flip, Vec<(Var, u8)>)> {
        let is_possible = picked.step.kind == StepKind::Branch && self.detours.may_try(picked.step);
        if !is_possible || !self.depends_on_values() {
            return None;
        }
        let slice = &self.solver.last_slice().constraints;
        let rest: Vec<Expr> = slice.iter().copied().filter(|&part| !self.steps.is_concretization(part)).collect();
        let tree = self.frontier.tree();
        let goal = tree.decided(picked.node, picked.step.side);
        let goal = self.steps.expression(&self.program, &mut self.pool, goal);
        let mut path = byway_solve::Path::new();
        rest.into_iter().for_each(|part| path.push(&mut self.pool, part));
        let variables = &self.variables;
        let seed = |var| value(variables, picked.run, var);
        let answer = self.solver.solve(&mut self.pool, &mut path, goal, &seed);
        let Answer::Sat(model) = answer else {
            self.detours.note(picked.step, false);
            return None;
        };
        self.detours.note(picked.step, true);
        let changed = model.into_iter().filter(|&(var, new)| seed(var) != new).collect();
        let is_fixed =
            |constraint: &Constraint| !matches!(constraint, Constraint::Decided { kind: StepKind::Concretization, .. });
        let wanted = self.frontier.tree().constraints(picked.pending).take_while(is_fixed).collect();
        Some((Flip { picked: *picked, wanted, operation: None, is_detour: true }, changed))
    }

    /// Whether the last answer depends on what runs took for its value.
    fn depends_on_values(&self) -> bool {
        self.solver.last_slice().constraints.iter().any(|&constraint| self.steps.is_concretization(constraint))
    }

    /// At the end of a run the program assumed, at a site, what cannot be.
    fn note_refuted(&mut self, run: RunId, site: u32) {
        if self.refuted_places.insert(site) {
            self.refuted.push((run, site));
        }
    }

    /// A run at whose end the program assumed what cannot be, and where; each place is told once.
    pub fn take_refuted(&mut self) -> Option<(RunId, u32)> {
        self.refuted.pop()
    }

    /// Whether there is one.
    pub fn has_refuted(&self) -> bool {
        !self.refuted.is_empty()
    }

    /// The operation that a pending wants to fail.
    fn operation(&self, picked: &Picked) -> Option<Asked> {
        let is_failing = picked.step.kind == StepKind::Operation && picked.step.side == 0;
        let succeeds = Expr::from_index(picked.step.condition as usize);
        let operation = self.steps.operation(succeeds).filter(|_| is_failing)?;
        Some(Asked { site: picked.step.called_from(), failure: operation.failure })
    }

    fn solve(&mut self, picked: &Picked, is_operation: bool, value: &impl Fn(&Variables, RunId, Var) -> u8) -> Answer {
        let tree = self.frontier.tree();
        let mut maker = Maker { program: &self.program, steps: &mut self.steps, pool: &mut self.pool };
        self.way.go_to(tree, &mut maker, picked.node);
        let goal = maker.steps.expression(maker.program, maker.pool, tree.decided(picked.node, picked.step.side));
        let wishes = match picked.step.kind {
            StepKind::Operation if is_operation => self
                .steps
                .operation(Expr::from_index(picked.step.condition as usize))
                .and_then(|operation| operation.surely)
                .into_iter()
                .collect(),
            StepKind::Concretization if picked.step.side == 0 => values::wishes(tree, &mut self.pool, picked.node),
            _ => Vec::new(),
        };
        let variables = &self.variables;
        let seed = |var| value(variables, picked.run, var);
        if is_operation && self.solver.refute(&mut self.pool, self.way.path(), goal, &seed) != Refuted::No {
            return Answer::Unsat;
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.note(&self.pool, self.way.path(), goal, &seed);
        }
        let answer = self.ask(picked.run, goal, value);
        if !matches!(answer, Answer::Sat(_)) {
            return answer;
        }
        for wish in wishes {
            let wish = self.pool.binary(Op::And, goal, wish);
            let wished = self.ask(picked.run, wish, value);
            if let Answer::Sat(_) = wished {
                return wished;
            }
        }
        answer
    }

    /// Asks for an input that takes the way and for which the goal is true. If it cannot be given to a program, another is asked for
    /// that can: most can, and to demand it of all would have every byte of an argument depend on the next.
    fn ask(&mut self, run: RunId, goal: Expr, value: &impl Fn(&Variables, RunId, Var) -> u8) -> Answer {
        let variables = &self.variables;
        let answer =
            self.solver.solve_near_first(&mut self.pool, self.way.path(), goal, &|var| value(variables, run, var));
        let Answer::Sat(model) = &answer else { return answer };
        let texts = texts::changed(&mut self.variables, model);
        let variables = &self.variables;
        let now = |var: Var| {
            let changed = model.iter().find(|change| change.0 == var);
            changed.map_or_else(|| value(variables, run, var), |change| change.1)
        };
        if !texts.iter().any(|text| texts::is_broken(text, now)) {
            return answer;
        }
        let goal = texts.iter().fold(goal, |goal, text| {
            let whole = texts::is_whole(&mut self.pool, text);
            self.pool.binary(Op::And, goal, whole)
        });
        self.solver.solve_near_first(&mut self.pool, self.way.path(), goal, &|var| value(variables, run, var))
    }

    /// Adds the path of a run, for which queries took this time. `sources` are what its sources are called, if not as in the
    /// trace. If the input was to make an operation fail, the path ends there: what comes behind is as it would be if the operation
    /// had succeeded, or means nothing.
    pub fn add(&mut self, trace: &Trace, sources: Option<Vec<Source>>, cost: Duration, flip: Option<&Flip>) -> Added {
        let (pool, variables) = (&mut self.pool, &mut self.variables);
        let mut path = self.steps.path(&self.program, trace, sources, pool, variables, &mut self.solver);
        let wishes = self.steps.unmet_preferences();
        self.frontier.tree().align(&mut path);
        if let Some(flip) = flip.filter(|flip| flip.operation.is_some()) {
            flip.end_at_failure(&mut path);
        }
        self.concretizations.note_path(&path);
        if let Some(site) = trace.failed_assumption().filter(|_| !path.steps().last().is_some_and(Step::is_assumption))
        {
            self.note_refuted(self.runs, site);
        }
        // The fork server, which is the program, says how many there are.
        let is_there = |block: &BlockId| block.index() < self.program.map.blocks.len();
        let blocks: Vec<BlockId> = trace.executed().map(BlockId::new).filter(is_there).collect();
        let run = self.runs;
        self.runs += 1;
        let repeated = self.frontier.tree().counts().repeated;
        let learned = self.frontier.insert(&Ran { run, path: &path, blocks: &blocks, cost });
        let is_new = self.frontier.tree().counts().repeated == repeated;
        if let Some(leaf) = learned.inserted.leaf.filter(|_| !learned.fresh.is_empty()) {
            self.revisits.add(self.frontier.tree(), run, leaf);
        }
        Added { run, path, fresh: learned.fresh, is_new, wishes }
    }

    /// The bytes that have to change in the input of a run so that it takes the same path, and as many as can be of the wishes hold,
    /// the first ones first. `None` if there is nothing to change.
    pub fn prefer(
        &mut self,
        (run, path): (RunId, &Path),
        wishes: &[Expr],
        value: impl Fn(&Variables, RunId, Var) -> u8,
    ) -> Option<Vec<(Var, u8)>> {
        let mut maker = Maker { program: &self.program, steps: &mut self.steps, pool: &mut self.pool };
        let before = std::mem::replace(&mut self.way, Way::along(path, &mut maker));
        let model = self.grant(run, wishes, &value);
        self.way = before;
        let is_changed = |&(var, new): &(Var, u8)| value(&self.variables, run, var) != new;
        let changed: Vec<(Var, u8)> = model?.into_iter().filter(is_changed).collect();
        (!changed.is_empty()).then_some(changed)
    }

    fn grant(
        &mut self,
        run: RunId,
        wishes: &[Expr],
        value: &impl Fn(&Variables, RunId, Var) -> u8,
    ) -> Option<Vec<(Var, u8)>> {
        let mut granted = self.pool.truth(true);
        let all = wishes.iter().fold(granted, |all, &wish| self.pool.binary(Op::And, all, wish));
        if let Answer::Sat(model) = self.ask(run, all, value) {
            return Some(model);
        }
        let mut best = None;
        for &wish in wishes.iter().take(MOST_WISHES) {
            let both = self.pool.binary(Op::And, granted, wish);
            if let Answer::Sat(model) = self.ask(run, both, value) {
                (granted, best) = (both, Some(model));
            }
        }
        best
    }

    /// Whether a run took a path that was added, from its first step to its last.
    pub fn is_path_of(&mut self, trace: &Trace, path: &Path) -> bool {
        let (pool, variables) = (&mut self.pool, &mut self.variables);
        let mut other = self.steps.path(&self.program, trace, None, pool, variables, &mut self.solver);
        self.frontier.tree().align(&mut other);
        other.steps() == path.steps()
    }

    /// Says what became of a branch whose input was run. Where it came there with another condition, the tree has it elsewhere.
    pub fn close(&mut self, flip: &Flip, path: Option<&Path>) {
        let is_taken = path.is_some_and(|path| flip::is_same(&flip.wanted, path));
        // The branch of a detour is closed already: on this way there is no input for it.
        if !is_taken && !flip.is_detour {
            self.frontier.close(flip.picked.pending, Outcome::Missed);
        }
    }
}

impl Flip {
    /// The path of a run whose input was to make an operation fail ends there, whether or not the trace says that it failed: an
    /// access outside of all objects does not say of which object it was to be.
    fn end_at_failure(&self, path: &mut Path) {
        let steps = self.wanted.iter().filter(|constraint| matches!(constraint, Constraint::Decided { .. })).count();
        let before = self.wanted.len().saturating_sub(1);
        if !flip::is_same(&self.wanted[..before], path) {
            return;
        }
        path.truncate(steps.saturating_sub(1));
        let assumed = self.wanted[..before].iter().rev().map_while(|constraint| match *constraint {
            Constraint::Assumed(assumed) => Some(assumed),
            Constraint::Decided { .. } => None,
        });
        assumed.collect::<Vec<_>>().into_iter().rev().for_each(|assumed| path.assume(assumed));
        let step = &self.picked.step;
        path.operate((step.site, step.place), step.condition, true);
    }

    /// Whether a path takes the branch.
    pub fn is_taken(&self, path: &Path) -> bool {
        flip::is_taken(&self.wanted, path)
    }

    /// What a run did that did not take it.
    pub fn miss(&self, path: &Path, ended_badly: Option<&str>, losses: flip::Losses) -> String {
        flip::miss(&self.wanted, path, ended_badly, losses)
    }
}
