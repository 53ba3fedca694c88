//! Which changes an input executes, and how near it comes to the others.

use std::collections::BTreeSet;
use std::sync::Arc;

use byway_change::Changes;
use byway_engine::Dependences;
use byway_exec::ExecError;
use byway_input::ConcreteInput;
use byway_map::{BlockGraph, BlockId, CallKind, DependenceEdge, Distances};

use crate::lab::{Lab, Side};
use crate::request::{ProgramPair, Version};

/// The changes that are executed in a version, by number, with their blocks.
type ChangedBlocks = Vec<(usize, Vec<BlockId>)>;

/// The changes that are executed in one version.
struct VersionTargets {
    /// The changes, with their blocks.
    changed: ChangedBlocks,
    /// How far other blocks are from these.
    distances: Distances,
    /// What has to be decided to get from one block to another.
    graph: Arc<BlockGraph<DependenceEdge>>,
}

/// The changes of a pair as blocks of its versions.
pub struct ChangeTargets {
    /// By version: the old one, the new one.
    versions: [VersionTargets; 2],
    /// Whether runs can be counted.
    is_counted: bool,
    /// Whether there are changes that no block stands for: any input may show them.
    has_others: bool,
    /// How many changes there are.
    count: usize,
}

/// What an input executes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reach {
    /// The changes, by number.
    pub changes: BTreeSet<usize>,
    /// How far it is from the nearest change; 0 if it executes one.
    pub distance: u32,
    /// How often each block of the new version ran.
    pub counts: Vec<u64>,
}

/// Farther than anything.
pub const FAR: u32 = u32::MAX;

impl ChangeTargets {
    /// Those of a pair.
    /// `definitions`: whether where a branch's condition is defined counts as a way to it.
    pub fn new(pair: &ProgramPair, definitions: bool) -> ChangeTargets {
        let is_counted = pair.old.variants.cov.is_some() && pair.new.variants.cov.is_some();
        let of = |in_old: bool, version: &Version| {
            let changed = wanted(&pair.changes, in_old);
            let graph = match (pair.changes.changes.is_empty(), definitions) {
                (true, _) => BlockGraph::default(),
                (false, false) => BlockGraph::control_dependence(&version.program.map),
                (false, true) => BlockGraph::dependence(&version.program.map, version.flow.switches()),
            };
            let distances = graph.distances(changed.iter().flat_map(|(_, blocks)| blocks.iter().copied()), weight);
            VersionTargets { changed, distances, graph: Arc::new(graph) }
        };
        let versions = [of(true, &pair.old), of(false, &pair.new)];
        let known: BTreeSet<usize> =
            versions.iter().flat_map(|version| version.changed.iter().map(|(change, _)| *change)).collect();
        let count = pair.changes.changes.len();
        ChangeTargets { versions, is_counted, has_others: known.len() < count, count }
    }

    /// Whether anything changed.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether it can be told of each input which changes it executes.
    pub fn are_known(&self) -> bool {
        self.is_counted && !self.has_others
    }

    /// Whether a change is known by blocks.
    pub fn knows(&self, change: usize) -> bool {
        self.is_counted && self.versions.iter().any(|version| version.changed.iter().any(|(known, _)| *known == change))
    }

    /// Whether an input that executes these changes may behave differently.
    pub fn may_differ(&self, reach: Option<&Reach>) -> bool {
        self.has_others || reach.is_none_or(|reach| !reach.changes.is_empty())
    }

    fn version(&self, side: Side) -> &VersionTargets {
        &self.versions[usize::from(side != Side::Old)]
    }

    /// The changes that are executed in a version, by number.
    pub fn executed_in(&self, side: Side) -> impl Iterator<Item = usize> + '_ {
        self.version(side).changed.iter().map(|(change, _)| *change)
    }

    /// Whether a run of a version that executed some blocks executed a change.
    pub fn is_executed(&self, side: Side, change: usize, is_run: impl Fn(BlockId) -> bool) -> bool {
        let mut changed = self.version(side).changed.iter();
        changed.any(|(known, blocks)| *known == change && blocks.iter().any(|&block| is_run(block)))
    }

    /// How far the blocks of a version are from those of some of its changes.
    pub fn distances(&self, side: Side, is_wanted: impl Fn(usize) -> bool) -> Distances {
        let VersionTargets { changed, graph, .. } = self.version(side);
        let wanted = changed.iter().filter(|(change, _)| is_wanted(*change));
        graph.distances(wanted.flat_map(|(_, blocks)| blocks.iter().copied()), weight)
    }

    /// What the branches of a version depend on.
    pub fn dependences(&self, side: Side) -> Box<Dependences> {
        let graph = Arc::clone(&self.version(side).graph);
        Box::new(move |block| graph.distances([block], weight))
    }

    /// How far the blocks of a version are from others.
    pub fn distances_to(&self, side: Side, targets: impl IntoIterator<Item = BlockId>) -> Distances {
        self.version(side).graph.distances(targets, weight)
    }

    /// What an input executes. `None` if nobody can tell.
    pub fn reach(&self, lab: &mut Lab<'_>, input: &ConcreteInput) -> Result<Option<Reach>, ExecError> {
        if !self.is_counted || self.is_empty() {
            return Ok(None);
        }
        let mut reach = Reach { distance: FAR, ..Reach::default() };
        for side in [Side::New, Side::Old] {
            let VersionTargets { changed: wanted, distances, .. } = self.version(side);
            if wanted.is_empty() && side == Side::Old {
                continue;
            }
            let Some(counts) = lab.count(side, input)? else { return Ok(None) };
            let is_run = |block: &BlockId| counts.get(block.index()).is_some_and(|&count| count > 0);
            let executed = wanted.iter().filter(|(_, blocks)| blocks.iter().any(is_run));
            reach.changes.extend(executed.map(|(change, _)| *change));
            let run =
                counts.iter().enumerate().filter(|(_, count)| **count > 0).map(|(block, _)| BlockId::new(block as u32));
            reach.distance = run.filter_map(|block| distances.of(block)).min().unwrap_or(FAR).min(reach.distance);
            if side == Side::New {
                reach.counts = counts;
            }
        }
        Ok(Some(reach))
    }
}

/// The changes that are executed in one of the versions, with the blocks they are in there.
fn wanted(changes: &Changes, in_old: bool) -> ChangedBlocks {
    let executed = changes.changes.iter().enumerate().filter_map(|(index, change)| {
        let place = change.executed_at(in_old)?;
        Some((index, place.blocks.clone()))
    });
    executed.filter(|(_, blocks)| !blocks.is_empty()).collect()
}

/// As the search for changes counts: calls weigh nothing. Through a pointer every function of its type would be near.
fn weight(edge: &DependenceEdge) -> Option<u32> {
    match edge {
        DependenceEdge::Entry | DependenceEdge::Call(CallKind::Direct | CallKind::Callback) => Some(0),
        DependenceEdge::Call(CallKind::Indirect) => Some(4),
        DependenceEdge::Branch { .. } | DependenceEdge::Tested => Some(1),
    }
}
