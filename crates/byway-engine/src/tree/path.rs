//! The path of a run, as the tree wants to see it.

use byway_trace::is_model_site;
use byway_trace::layout::place;

/// What decides at a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum StepKind {
    /// A branch, a switch or a select, of the program or of a model of a library function.
    #[default]
    Branch,
    /// A concretization. Side 1: the value is this one; side 0: it is another.
    Concretization,
    /// An operation that can fail. Side 1: it does not; side 0: it does.
    Operation,
}

/// A divergence point that a run met, and the side it took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// What decides.
    pub kind: StepKind,
    /// The site of the branch, or of what else decides.
    pub site: u32,
    /// Where the program called the model whose branch it is, or 0.
    pub place: u32,
    /// The number of its condition: an expression of the caller's.
    pub condition: u32,
    /// The side taken, or [`Step::NEITHER`].
    pub side: u32,
    /// How many sides there are: 2, or the number of successors of a switch.
    pub sides: u32,
    /// For concretizations, what was taken for its value: an expression of the caller's. Otherwise 0.
    pub value: u32,
    /// How many assumptions the path made before it, in all.
    pub(crate) assumed: u32,
}

impl Step {
    /// The side of a last step whose run was stopped before it took one: all of its sides are pending.
    pub const NEITHER: u32 = u32::MAX;

    /// A branch of two sides, as it is before anything else is known of it.
    pub fn branch(site: u32, place: u32, condition: u32, side: u32) -> Step {
        Step { kind: StepKind::Branch, site, place, condition, side, sides: 2, value: 0, assumed: 0 }
    }

    /// Where it is in the program: that of a branch within a library function is where the program called it.
    pub fn called_from(&self) -> u32 {
        if is_model_site(self.site) { self.place } else { self.site }
    }

    /// Whether it is what the program assumes of its input (`klee_assume`): side 1 if that holds. Nobody looks for side 0.
    pub fn is_assumption(&self) -> bool {
        self.kind == StepKind::Branch && self.site == place::ASSUMPTION
    }

    /// The same branch, to another side.
    pub fn to(self, side: u32) -> Step {
        Step { side, ..self }
    }
}

/// The symbolic branches of a run in order, with what the run assumed in between: constraints that hold for its input
/// without being a choice of the program, as that an address is the one it was.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BranchPath {
    steps: Vec<Step>,
    assumptions: Vec<u32>,
    repeats: Vec<Repeat>,
    points: Vec<PathPoint>,
}

/// A place that the run came by and was to note.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathPoint {
    /// How many steps were before it.
    pub steps: u32,
    /// The block.
    pub block: u32,
    /// How many of its calls were before it.
    pub calls: u32,
}

/// A branch whose condition the path has said already: it goes the other way whenever the first one does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repeat {
    /// The condition of the first one.
    pub condition: u32,
    /// Its site.
    pub site: u32,
    /// Where the program called the model whose branch it is, or 0.
    pub place: u32,
    /// The side that was taken.
    pub side: u32,
}

impl BranchPath {
    /// A path without steps.
    pub fn new() -> Self {
        BranchPath::default()
    }

    /// Notes that the run assumed a constraint, before its next step.
    pub fn assume(&mut self, constraint: u32) {
        self.assumptions.push(constraint);
    }

    /// Adds a branch. Nothing may follow one that took neither side.
    pub fn push(&mut self, site: u32, place: u32, condition: u32, side: u32, sides: u32) {
        // A side that there is not would be another node's.
        let sides = if side == Step::NEITHER { sides } else { sides.max(side + 1) };
        self.push_step(StepKind::Branch, (site, place), condition, side, sides);
    }

    /// Notes a branch whose condition the path has said already.
    pub fn repeat(&mut self, repeat: Repeat) {
        self.repeats.push(repeat);
    }

    /// The branches whose condition the path had said already.
    pub fn repeats(&self) -> &[Repeat] {
        &self.repeats
    }

    /// Notes that the run came by a place.
    pub fn note_point(&mut self, block: u32, calls: u32) {
        self.points.push(PathPoint { steps: self.steps.len() as u32, block, calls });
    }

    /// The places that the run came by and was to note, in order.
    pub fn points(&self) -> &[PathPoint] {
        &self.points
    }

    /// Adds an operation that can fail: side 1 of `succeeds`, or side 0 if it failed.
    pub fn operate(&mut self, at: (u32, u32), succeeds: u32, failed: bool) {
        self.push_step(StepKind::Operation, at, succeeds, u32::from(!failed), 2);
    }

    /// Adds a concretization: what was taken for its value, and that it has this value.
    pub fn concretize(&mut self, at: (u32, u32), value: u32, equal: u32) {
        self.push_step(StepKind::Concretization, at, equal, 1, 2);
        self.steps.last_mut().expect("just added").value = value;
    }

    fn push_step(&mut self, kind: StepKind, (site, place): (u32, u32), condition: u32, side: u32, sides: u32) {
        let assumed = self.assumptions.len() as u32;
        self.steps.push(Step { kind, site, place, condition, side, sides, value: 0, assumed });
    }

    /// Has other steps, which assume the same in all.
    pub(super) fn replace_steps(&mut self, steps: Vec<Step>) {
        self.steps = steps;
    }

    /// Leaves out all but the first steps, and what was assumed behind them.
    pub fn truncate(&mut self, steps: usize) {
        self.steps.truncate(steps);
        let assumed = self.steps.last().map_or(0, |last| last.assumed);
        self.assumptions.truncate(assumed as usize);
    }

    /// The steps.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// What the run assumed behind its last step.
    pub fn last_assumptions(&self) -> &[u32] {
        &self.assumptions[self.steps.last().map_or(0, |last| last.assumed as usize)..]
    }

    /// What the run assumed between the step before and this one.
    pub fn assumptions(&self, step: usize) -> &[u32] {
        let start = step.checked_sub(1).map_or(0, |before| self.steps[before].assumed);
        &self.assumptions[start as usize..self.steps[step].assumed as usize]
    }
}
