//! Searching from one input in both versions at once.
//!
//! Every input is run in both versions, and both traces are taken over into one context: what both versions compute from the
//! same bytes is the same expression. Inputs that execute a change are carried on to where it shows (`carry`): a query about both
//! paths asks for an input on which the versions part. Other inputs come from leaving the path of either version, towards
//! changes that no input executed yet and towards what depends on a change (`guide`).

mod carry;
mod guide;
mod locate;
mod said;
mod waiting;
mod written;

use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::time::{Duration, Instant};

use byway_engine::search::{Frontier, InTurn, SearchSettings, Staged, Stages};
use byway_engine::tree::{BranchPath, RunId};
use byway_engine::{Checks, Explorer, Flip, Original, resident_memory};
use byway_report::diff::Found;
use byway_solve::{Changes, ExpressionContext, Solver};
use byway_suite::Seed;
use rustc_hash::{FxHashSet, FxHasher};

use crate::error::DiffError;
use crate::gather::{DiffContext, Looked, Trial};
use crate::lab::{Lab, Side};
use crate::paths::{UNDIRECTED, pass_on};
use crate::request::Directions;
use crate::steer::Base;

use guide::Guide;
use waiting::Waiting;
use written::Written;

/// Both versions, in the order in which they are kept.
const SIDES: [Side; 2] = [Side::Old, Side::New];
/// A strategy has so many picks before the next one has its turn.
const SLICE: u32 = 4;
/// Of so many branches one is of the version with fewer changes.
const ROUND: u64 = 4;
/// So often it is looked at our memory: once in so many inputs.
const LOOK: usize = 64;

/// How far a search goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Only queries about paths that execute a change.
    Carry,
    /// Other paths too.
    Whole,
}

/// A search from one input.
pub struct JointSearch<'s, 'g> {
    ground: &'s DiffContext<'g>,
    lab: &'s mut Lab<'g>,
    seed: Arc<Seed>,
    original: Original,
    context: ExpressionContext,
    versions: [VersionSearch; 2],
    /// What the inputs have other than the first one.
    inputs: Vec<Changes>,
    /// The inputs that were run, by a hash of what they have other than the first one.
    seen: FxHashSet<u64>,
    /// Paths that execute a change and that no query was about yet.
    waiting: Waiting,
    /// So many paths are left before queries are asked again.
    owed: u64,
    /// The pairs of paths that were met, by hash.
    met: FxHashSet<u64>,
    /// The interaction locations that were asked about with what comes before, by hash.
    asked: FxHashSet<u64>,
    /// How often a branch was chosen.
    turns: u64,
    /// Whether the first input executes a change.
    executes_change: bool,
    must_end: &'s dyn Fn() -> bool,
}

/// The paths of one version.
struct VersionSearch {
    explorer: Explorer,
    /// The input of each of its runs.
    inputs: Vec<usize>,
    guide: Guide,
}

/// The paths of both versions on an input.
struct PathPair {
    input: usize,
    paths: [BranchPath; 2],
    /// What both wrote.
    written: [Written; 2],
}

impl<'s, 'g> JointSearch<'s, 'g> {
    /// A search that begins with an input, until `must_end`.
    pub fn new(
        ground: &'s DiffContext<'g>,
        lab: &'s mut Lab<'g>,
        base: &Base,
        solver: Solver,
        must_end: &'s dyn Fn() -> bool,
    ) -> JointSearch<'s, 'g> {
        let versions = SIDES.map(|side| VersionSearch::new(ground, side));
        JointSearch {
            ground,
            lab,
            seed: Arc::clone(&base.seed),
            original: Original::new(Arc::clone(&base.input)),
            context: ExpressionContext::new(solver),
            versions,
            inputs: Vec::new(),
            seen: FxHashSet::default(),
            waiting: Waiting::default(),
            owed: 0,
            met: FxHashSet::default(),
            asked: FxHashSet::default(),
            turns: 0,
            executes_change: base.distance == 0 || !ground.targets.are_known(),
            must_end,
        }
    }

    fn directions(&self) -> Directions {
        self.ground.site.options.directions
    }

    /// Searches until it is time to end or nothing is left.
    pub fn run(&mut self, extent: Extent) -> Result<(), DiffError> {
        self.seen.insert(hash(&Changes::default()));
        let given = Looked { may_differ: self.executes_change, ..Looked::default() };
        self.follow(Changes::default(), None, (given, false))?;
        while !(self.must_end)() {
            let must_step = self.owed > 0 && extent == Extent::Whole;
            self.owed = self.owed.saturating_sub(1);
            if must_step && self.step()? {
                continue;
            }
            if let Some(pair) = self.waiting.pop() {
                let before = self.inputs.len();
                self.carry(&pair)?;
                // Where each input executes a change queries would be about all there is, and go on for ever.
                if self.ground.sequences.is_some() {
                    self.owed = (self.inputs.len() - before + 1) as u64;
                }
            } else if extent == Extent::Carry || !self.step()? {
                break;
            }
        }
        Ok(())
    }

    /// Leaves a path of one of the versions. False if nothing is left.
    fn step(&mut self) -> Result<bool, DiffError> {
        self.turns += 1;
        if self.inputs.len() % LOOK == LOOK - 1
            && resident_memory().is_some_and(|bytes| bytes > self.ground.site.options.memory)
        {
            return Ok(false);
        }
        let is_open = |version: &VersionSearch| version.explorer.frontier().pending_count() > 0;
        let wanted = self.preferred();
        let Some(number) = [wanted, 1 - wanted].into_iter().find(|&number| is_open(&self.versions[number])) else {
            return Ok(self.versions.iter_mut().any(|version| version.explorer.extend(&mut self.context)));
        };
        let JointSearch { versions, inputs, original, context, .. } = self;
        let VersionSearch { explorer, inputs: of_runs, .. } = &mut versions[number];
        let values = |variables: &_, run: RunId, var| original.value(variables, &inputs[of_runs[run as usize]], var);
        if let Some((flip, changed)) = explorer.next(context, &values) {
            let changes = inputs[of_runs[flip.picked.run as usize]].with(&changed);
            let found = if number == 0 { Found::OldExplored } else { Found::NewExplored };
            self.try_input(changes, Some((number, flip)), found)?;
        }
        Ok(true)
    }

    /// The version whose path is left next: mostly the one with changes that no input executed, or the new one.
    fn preferred(&self) -> usize {
        let [old, new] = &self.versions;
        let mostly = usize::from(!old.guide.has_targets() || new.guide.has_targets());
        let is_both = old.guide.has_targets() && new.guide.has_targets();
        let round = if is_both { 2 } else { ROUND };
        if self.turns.is_multiple_of(round) { 1 - mostly } else { mostly }
    }

    /// Compares the versions on an input, and follows it in both. Whether it was not tried before.
    fn try_input(&mut self, changes: Changes, flip: Option<(usize, Flip)>, found: Found) -> Result<Looked, DiffError> {
        if !self.seen.insert(hash(&changes)) {
            if let Some((number, flip)) = &flip {
                self.versions[*number].explorer.give_up(flip);
            }
            return Ok(Looked::default());
        }
        let input = self.original.input(&self.context.variables, changes.iter());
        let looked = self.ground.try_path(self.lab, Trial { base: Arc::clone(&self.seed), input, found })?;
        self.follow(changes, flip, (looked, true))?;
        Ok(looked)
    }

    /// Traces an input in both versions. If it executes a change, and nothing of that was seen, it is to be carried on.
    fn follow(
        &mut self,
        changes: Changes,
        flip: Option<(usize, Flip)>,
        (looked, was_made): (Looked, bool),
    ) -> Result<(), DiffError> {
        let input = self.original.input(&self.context.variables, changes.iter());
        let number = self.inputs.len();
        self.inputs.push(changes);
        let executes_change = looked.may_differ;
        let is_to_carry = executes_change && !looked.differs && self.directions().joint;
        let (mut paths, mut written) = ([None, None], [Written::default(), Written::default()]);
        let mut repeated = 0;
        for (index, side) in SIDES.into_iter().enumerate() {
            let flip = flip.as_ref().filter(|(version, _)| *version == index).map(|(_, flip)| flip);
            let version = &mut self.versions[index];
            let Some(outcome) = self.lab.trace_for(side, &input) else {
                flip.into_iter().for_each(|flip| version.explorer.give_up(flip));
                continue;
            };
            let trace = outcome.trace;
            if let Some(sequences) = self.ground.sequences.as_ref().filter(|_| side == Side::New) {
                repeated = sequences.learn(&trace, was_made.then_some(looked));
            }
            let sources = self.original.sources(&trace);
            let named = Some(sources.clone());
            let added = version.explorer.add(&mut self.context, &trace, named, Duration::ZERO, flip);
            if let (Some(texts), true) = (outcome.outputs, is_to_carry) {
                let (mut importer, _) = self.context.import(&trace, Some(sources));
                written[index] = Written::new(&trace, &mut importer, texts, outcome.status.code());
            }
            version.inputs.push(number);
            version.guide.learn(self.ground, &trace, executes_change);
            paths[index] = Some(added.path);
        }
        if let ([Some(old), Some(new)], true) = (paths, is_to_carry) {
            let pair = PathPair { input: number, paths: [old, new], written };
            if self.met.insert(pair.key()) {
                let sequences = self.ground.sequences.as_ref();
                let meets = sequences.is_none_or(|sequences| !sequences.meetings(pair.paths[1].points()).is_empty());
                self.waiting.push(pair, (!meets, repeated));
            }
        }
        Ok(())
    }
}

impl VersionSearch {
    fn new(ground: &DiffContext<'_>, side: Side) -> VersionSearch {
        let program = Arc::clone(&ground.version(side).program);
        let guide = Guide::new(ground, side);
        let search: byway_engine::search::Search = UNDIRECTED.parse().expect("a strategy");
        let settings = SearchSettings { slice: SLICE, ..SearchSettings::new(search, ground.site.options.seed) };
        let mut searchers = guide.searchers();
        match ground.sequences.as_ref().filter(|_| side == Side::New) {
            Some(sequences) => {
                searchers.push(Box::new(Staged::new(Arc::clone(sequences) as Arc<dyn Stages>)));
                searchers.push(Box::new(InTurn::new(settings.searchers())));
            }
            None => searchers.extend(settings.searchers()),
        }
        let frontier = Frontier::of_program(&program, &settings, searchers);
        // What fails in the old version only is no regression.
        let checks = (side == Side::New).then_some(Checks::ALL);
        let mut explorer = Explorer::new(program, frontier, checks);
        if ground.site.options.directions.dropping {
            explorer = explorer.dropping(ground.targets.dependences(side));
        }
        VersionSearch { explorer, inputs: Vec::new(), guide }
    }
}

impl PathPair {
    /// Pairs of the same paths have the same key.
    fn key(&self) -> u64 {
        let mut hasher = FxHasher::default();
        for path in &self.paths {
            let steps = path.steps();
            steps.len().hash(&mut hasher);
            steps.iter().for_each(|step| (step.site, step.condition, step.side).hash(&mut hasher));
        }
        hasher.finish()
    }
}

fn hash(changes: &Changes) -> u64 {
    let mut all: Vec<_> = changes.iter().collect();
    all.sort_unstable_by_key(|(var, _)| var.0);
    let mut hasher = FxHasher::default();
    all.iter().for_each(|(var, value)| (var.0, value).hash(&mut hasher));
    hasher.finish()
}

impl DiffContext<'_> {
    /// Searches from inputs in both versions at once, the first ones first, for a time.
    pub fn search_jointly(
        &self,
        bases: &[Base],
        extent: Extent,
        time: Duration,
        solver: &(dyn Fn() -> Solver + Sync),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<(), DiffError> {
        let pair = self.site.pair;
        if pair.old.variants.sym.is_none() || pair.new.variants.sym.is_none() || bases.is_empty() {
            return Ok(());
        }
        let begun = Instant::now();
        let share = self.share(time, bases.len());
        let must_end = || stop() || begun.elapsed() >= time;
        let searched = self.site.each(bases, &must_end, |lab, base| {
            let first = Instant::now();
            let is_over = || must_end() || first.elapsed() >= share;
            JointSearch::new(self, lab, base, solver(), &is_over).run(extent)
        })?;
        pass_on(searched)
    }
}
