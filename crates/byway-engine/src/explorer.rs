//! Exploring a program: the searchers choose an edge that no run has taken, and the solver finds an input that takes it.

mod detours;
mod preferences;
mod revisits;

use std::sync::Arc;
use std::time::{Duration, Instant};

use byway_map::BlockId;
use byway_report::{Limit, Remainder};
use byway_solve::{Answer, Expr, ExpressionContext, InputSource, Var, Variables};
use byway_trace::Trace;
use rustc_hash::FxHashSet;

use crate::builder::PathBuilder;
use crate::checks::Checks;
use crate::flip::{ExpectedPath, FlipOutcome};
use crate::operations::{OperationFailure, Operations};
use crate::program::Program;
use crate::search::{Frontier, Picked, Ran};
use crate::space::{EdgeOptions, PathSpace, ShardId, TreeEdge};
use crate::tree::{BranchPath, PathTree, PendingId, PendingOutcome, RunId, Step, StepKind};
use crate::values::{self, Concretizations};

pub use detours::Dependences;
use detours::Detours;
use revisits::Revisits;

/// The value of a byte in the input of a run.
pub type RunValues<'a> = dyn Fn(&Variables, RunId, Var) -> u8 + 'a;

/// The paths of all runs so far, and the searchers that choose where to leave them.
pub struct Explorer {
    space: PathSpace<Frontier>,
    runs: RunId,
    /// The sides that the solver gave up on.
    unknown: Vec<PendingId>,
    /// How many times the first limits of a query are allowed now.
    effort: u32,
    operations: Operations,
    concretizations: Concretizations,
    detours: Detours,
    revisits: Revisits,
    /// Runs at whose end something was assumed that no input on their path meets, and where; each place once.
    refuted: Vec<(RunId, u32)>,
    refuted_places: FxHashSet<u32>,
}

/// An edge for which there is an input.
#[derive(Debug)]
pub struct Flip {
    /// The edge, and who chose it.
    pub picked: Picked,
    /// The path of a run that takes it.
    expected: ExpectedPath,
    /// The operation that is to fail, if it is one.
    pub operation: Option<OperationFailure>,
    /// Whether no pending waits for it. Either values that runs had on the way may be others: the input should take the branch behind
    /// another path, and what is expected is only what comes before these values. Or it is a revisit: another run took the edge.
    pub is_detour: bool,
}

/// The bytes that an input has to change, with the values that they get.
pub type ChangedBytes = Vec<(Var, u8)>;

/// A path that was added.
#[derive(Debug)]
pub struct Added {
    /// The number of its run.
    pub run: RunId,
    /// The path.
    pub path: BranchPath,
    /// The blocks that no run had covered.
    pub fresh: Vec<BlockId>,
    /// Whether no run had taken it.
    pub is_new: bool,
    /// What the program prefers to hold of its input, if not all of it does.
    pub preferences: Vec<Expr>,
    /// Whether the run took the edge that its input was solved for, if it was.
    pub flip: Option<FlipOutcome>,
}

/// What a query may cost grows by this factor when nothing else is left.
const MORE: u32 = 4;
/// So many operations are asked about in a row, unless one can fail.
const ROW: usize = 64;
/// And no longer than this.
const ROW_TIME: Duration = Duration::from_millis(200);

impl Explorer {
    /// No run was made yet. Operations of these checks are asked about.
    pub fn new(program: Arc<Program>, frontier: Frontier, checks: Option<Checks>) -> Explorer {
        let mut space = PathSpace::new(PathBuilder::new(program, checks));
        space.add_shard(frontier);
        Explorer {
            space,
            runs: 0,
            unknown: Vec::new(),
            effort: 1,
            operations: Operations::default(),
            concretizations: Concretizations::default(),
            detours: Detours::default(),
            revisits: Revisits::default(),
            refuted: Vec::new(),
            refuted_places: FxHashSet::default(),
        }
    }

    /// The same, with whether inputs that covered something new are run again with one decision made otherwise. A search as a paper
    /// defines it wants none of that.
    pub fn revisiting(mut self, is_wanted: bool) -> Explorer {
        self.revisits = Revisits::new(is_wanted);
        self
    }

    /// The program.
    pub fn program(&self) -> &Arc<Program> {
        self.space.program()
    }

    /// The paths.
    pub fn space(&mut self) -> &mut PathSpace<Frontier> {
        &mut self.space
    }

    /// The frontier.
    pub fn frontier(&self) -> &Frontier {
        self.space.shard(ShardId::FIRST)
    }

    fn frontier_mut(&mut self) -> &mut Frontier {
        self.space.shard_mut(ShardId::FIRST)
    }

    fn tree(&self) -> &PathTree {
        self.frontier().tree()
    }

    /// Where a branch is in the program, if that is known.
    pub fn place(&self, flip: &Flip) -> String {
        self.program().position(flip.picked.step.called_from()).unwrap_or_default()
    }

    /// What was left undone, as far as it can be told from the paths alone.
    pub fn remaining(&self) -> Remainder {
        let mut remaining = Remainder::default();
        let tree = self.tree();
        for &pending in &self.unknown {
            let (node, side) = tree.place_of(pending);
            let place = self.program().position(tree.step(node, side).called_from()).unwrap_or_default();
            remaining.add(Limit::Unknown, "", &place, 1);
        }
        self.operations.add_remaining(self.program(), &mut remaining);
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
        self.concretizations.list(self.space.builder())
    }

    /// Nothing else is left: what the solver gave up on may be asked again, with more time. False if there is nothing.
    pub fn extend(&mut self, context: &mut ExpressionContext) -> bool {
        self.effort = self.effort.saturating_mul(MORE);
        context.solver.set_effort(self.effort);
        let unknown = std::mem::take(&mut self.unknown);
        let was_put_off = self.operations.extend(self.effort);
        let all: Vec<PendingId> = unknown.into_iter().chain(was_put_off).collect();
        all.iter().for_each(|&pending| self.frontier_mut().reopen(pending));
        !all.is_empty()
    }

    /// How many times the first limits of a query are allowed now.
    pub fn effort(&self) -> u32 {
        self.effort
    }

    /// An edge of the searcher's choice, and the bytes that have to change for it in the input of the run that it is picked from.
    /// `None` if there was none, or no input for it.
    pub fn next(&mut self, context: &mut ExpressionContext, values: &RunValues<'_>) -> Option<(Flip, ChangedBytes)> {
        if let Some(found) = self.revisit(context, values) {
            return Some(found);
        }
        let mut picked = self.frontier_mut().pick()?;
        // Most operations cannot fail, and that costs less than to choose a branch.
        let begun = Instant::now();
        for _ in 0..ROW {
            let found = self.try_to_take(context, picked, values);
            // Who called looks at the clock.
            if found.is_some() || picked.step.kind != StepKind::Operation || begun.elapsed() > ROW_TIME {
                return found;
            }
            picked = self.frontier_mut().pick_operation()?;
        }
        self.try_to_take(context, picked, values)
    }

    fn try_to_take(
        &mut self,
        context: &mut ExpressionContext,
        picked: Picked,
        values: &RunValues<'_>,
    ) -> Option<(Flip, ChangedBytes)> {
        let operation = self.operation(&picked);
        if let Some(refusal) = operation.and_then(|failure| self.operations.refuses(failure, picked.pending)) {
            self.frontier_mut().close(picked.pending, refusal);
            return None;
        }
        let answer = self.solve(context, &picked, operation.is_some(), values);
        if let Some(failure) = operation {
            self.operations.note(failure, &answer);
        }
        if picked.step.kind == StepKind::Concretization {
            self.concretizations.note(picked.step.called_from(), &answer);
        }
        let outcome = match answer {
            Answer::Sat(model) => {
                let changed = context.changed(&model, &|variables, var| values(variables, picked.run, var));
                let expected = ExpectedPath::new(self.tree(), picked.pending);
                return Some((Flip { picked, expected, operation, is_detour: false }, changed));
            }
            Answer::Unsat => PendingOutcome::Infeasible,
            Answer::Unknown(_) => {
                self.unknown.push(picked.pending);
                PendingOutcome::Unknown
            }
        };
        if picked.step.is_assumption() && outcome == PendingOutcome::Infeasible && !self.depends_on_values(context) {
            self.note_refuted(picked.run, picked.step.place);
        }
        let detour = if outcome == PendingOutcome::Infeasible { self.detour(context, &picked, values) } else { None };
        self.frontier_mut().close(picked.pending, outcome);
        detour
    }

    fn solve(
        &mut self,
        context: &mut ExpressionContext,
        picked: &Picked,
        is_operation: bool,
        values: &RunValues<'_>,
    ) -> Answer {
        let succeeds = Expr::from_index(picked.step.condition as usize);
        let preferences = match picked.step.kind {
            StepKind::Operation if is_operation => {
                self.space.builder().operation(succeeds).and_then(|operation| operation.surely).into_iter().collect()
            }
            StepKind::Concretization if picked.step.side == 0 => {
                values::preferences(self.tree(), &mut context.pool, picked.node)
            }
            _ => Vec::new(),
        };
        let edge = TreeEdge { shard: ShardId::FIRST, node: picked.node, side: picked.step.side };
        let options = EdgeOptions { preferences, refute_first: is_operation };
        self.space.solve(context, edge, options, &|variables, var| values(variables, picked.run, var))
    }

    /// The operation that a pending wants to fail.
    fn operation(&self, picked: &Picked) -> Option<OperationFailure> {
        let is_failing = picked.step.kind == StepKind::Operation && picked.step.side == 0;
        let succeeds = Expr::from_index(picked.step.condition as usize);
        let operation = self.space.builder().operation(succeeds).filter(|_| is_failing)?;
        Some(OperationFailure { site: picked.step.called_from(), failure: operation.failure })
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

    /// Adds the path of a run, for which queries took this time. `sources` are the names of its sources, if they are not those in the
    /// trace. If the input was to make an operation fail, the path ends there: what comes behind is as it would be if the operation
    /// had succeeded, or means nothing.
    pub fn add(
        &mut self,
        context: &mut ExpressionContext,
        trace: &Trace,
        sources: Option<Vec<InputSource>>,
        cost: Duration,
        flip: Option<&Flip>,
    ) -> Added {
        let mut path = self.space.path(context, trace, sources);
        let preferences = self.space.builder_mut().unmet_preferences();
        self.tree().align(&mut path);
        if let Some(flip) = flip.filter(|flip| flip.operation.is_some()) {
            flip.expected.end_at_failure(&flip.picked.step, &mut path);
        }
        self.concretizations.note_path(&path);
        if let Some(site) = trace.failed_assumption().filter(|_| !path.steps().last().is_some_and(Step::is_assumption))
        {
            self.note_refuted(self.runs, site);
        }
        // The fork server, which is the program, says how many there are.
        let is_there = |block: &BlockId| block.index() < self.program().map.blocks.len();
        let blocks: Vec<BlockId> = trace.executed().map(BlockId::new).filter(is_there).collect();
        let run = self.runs;
        self.runs += 1;
        let repeated = self.tree().counts().repeated;
        let learned = self.frontier_mut().insert(&Ran { run, path: &path, blocks: &blocks, cost });
        let is_new = self.tree().counts().repeated == repeated;
        if let Some(leaf) = learned.inserted.leaf.filter(|_| !learned.fresh.is_empty()) {
            self.revisits.add(self.space.shard(ShardId::FIRST).tree(), run, leaf);
        }
        let flip = flip.map(|flip| self.settle(flip, &path));
        Added { run, path, fresh: learned.fresh, is_new, preferences, flip }
    }

    /// Says what became of an edge whose input was run.
    fn settle(&mut self, flip: &Flip, path: &BranchPath) -> FlipOutcome {
        let outcome = flip.expected.compare(path);
        // Where the run came there with another condition, the tree has it elsewhere.
        if outcome != FlipOutcome::Taken {
            self.give_up(flip);
        }
        outcome
    }

    /// The run of an input that was solved for an edge did not take it, or came to nothing.
    pub fn give_up(&mut self, flip: &Flip) {
        // The edge of a detour is closed already: on this path there is no input for it.
        if !flip.is_detour {
            self.frontier_mut().close(flip.picked.pending, PendingOutcome::Missed);
        }
    }

    /// Whether a run took a path that was added, from its first step to its last.
    pub fn is_path_of(&mut self, context: &mut ExpressionContext, trace: &Trace, path: &BranchPath) -> bool {
        let mut other = self.space.path(context, trace, None);
        self.tree().align(&mut other);
        other.steps() == path.steps()
    }
}
