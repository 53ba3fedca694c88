//! Which changes an input executes, and how near it comes to the others.

use std::collections::BTreeSet;

use byway_change::Changes;
use byway_exec::ExecError;
use byway_input::ConcreteInput;
use byway_map::{BlockGraph, BlockId, CallKind, DependenceEdge, Distances, ProgramMap};

use crate::lab::{Lab, Side};
use crate::request::ProgramPair;

/// The changes that are executed in a version, by number, with their blocks.
type ChangedBlocks = Vec<(usize, Vec<BlockId>)>;

/// The changes of a pair as blocks of its versions.
pub struct Targets {
    /// By version: the changes that are executed there, with their blocks, and how far other blocks are from these.
    versions: [(ChangedBlocks, Distances); 2],
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

impl Targets {
    /// Those of a pair.
    pub fn new(pair: &ProgramPair) -> Targets {
        let is_counted = pair.old.variants.cov.is_some() && pair.new.variants.cov.is_some();
        let of = |in_old: bool, map: &ProgramMap| {
            let wanted = wanted(&pair.changes, in_old);
            let blocks = wanted.iter().flat_map(|(_, blocks)| blocks.iter().copied());
            let distances = match wanted.is_empty() {
                true => Distances::default(),
                false => BlockGraph::control_dependence(map).distances(blocks, weight),
            };
            (wanted, distances)
        };
        let versions = [of(true, &pair.old.program.map), of(false, &pair.new.program.map)];
        let known: BTreeSet<usize> =
            versions.iter().flat_map(|(wanted, _)| wanted.iter().map(|(change, _)| *change)).collect();
        let count = pair.changes.changes.len();
        Targets { versions, is_counted, has_others: known.len() < count, count }
    }

    /// Whether anything changed.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether a change is known by blocks.
    pub fn knows(&self, change: usize) -> bool {
        self.is_counted && self.versions.iter().any(|(wanted, _)| wanted.iter().any(|(known, _)| *known == change))
    }

    /// Whether an input that executes these changes may behave differently.
    pub fn may_differ(&self, reach: Option<&Reach>) -> bool {
        self.has_others || reach.is_none_or(|reach| !reach.changes.is_empty())
    }

    /// What an input executes. `None` if nobody can tell.
    pub fn reach(&self, lab: &mut Lab<'_>, input: &ConcreteInput) -> Result<Option<Reach>, ExecError> {
        if !self.is_counted || self.is_empty() {
            return Ok(None);
        }
        let mut reach = Reach { distance: FAR, ..Reach::default() };
        for (side, (wanted, distances)) in [(Side::New, &self.versions[1]), (Side::Old, &self.versions[0])] {
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
        DependenceEdge::Branch { .. } => Some(1),
    }
}
