//! Where a search in one version goes: towards changes that no input executed yet, and towards uses of what changes compute that no
//! input which executes a change came to.

use std::collections::BTreeSet;

use byway_engine::search::{Nearest, Searcher, Targets};
use byway_map::{BlockId, Distances, Statement};
use byway_trace::Trace;

use crate::gather::DiffContext;
use crate::lab::Side;
use crate::request::Version;

/// The targets of a search in one version.
pub struct Guide {
    side: Side,
    /// Changes that no input executed yet.
    unreached: BTreeSet<usize>,
    reaching: Targets,
    /// Blocks that use what a change computes, directly or through others, as far as no run that executes a change came there.
    unused: BTreeSet<BlockId>,
    using: Targets,
}

impl Guide {
    /// Nothing is known of any run yet but what other searches found.
    pub fn new(ground: &DiffContext<'_>, side: Side) -> Guide {
        let directions = ground.site.options.directions;
        let unreached = if directions.reach { ground.unreached(side) } else { BTreeSet::new() };
        let unused = if directions.uses { users(ground, side) } else { BTreeSet::new() };
        let reaching = Targets::new(ground.targets.distances(side, |change| unreached.contains(&change)));
        let using = Targets::new(ground.targets.distances_to(side, unused.iter().copied()));
        Guide { side, unreached, reaching, unused, using }
    }

    /// The searchers that follow it.
    pub fn searchers(&self) -> Vec<Box<dyn Searcher>> {
        [&self.reaching, &self.using]
            .map(|targets| -> Box<dyn Searcher> { Box::new(Nearest::strict(targets.clone())) })
            .into()
    }

    /// Whether there are changes that no input executed yet.
    pub fn has_targets(&self) -> bool {
        !self.unreached.is_empty()
    }

    /// Learns what a run executed, and whether it executes a change in one of the versions.
    pub fn learn(&mut self, ground: &DiffContext<'_>, trace: &Trace, executes_change: bool) {
        if self.unreached.is_empty() && (self.unused.is_empty() || !executes_change) {
            return;
        }
        let executed: BTreeSet<BlockId> = trace.executed().map(BlockId::new).collect();
        let (side, is_run) = (self.side, |block: &BlockId| executed.contains(block));
        let before = self.unreached.len();
        self.unreached.retain(|&change| !ground.targets.is_executed(side, change, |block| is_run(&block)));
        if self.unreached.len() < before {
            self.reaching.set(match self.unreached.is_empty() {
                true => Distances::default(),
                false => ground.targets.distances(side, |change| self.unreached.contains(&change)),
            });
        }
        let before = self.unused.len();
        if executes_change {
            self.unused.retain(|block| !is_run(block));
        }
        if self.unused.len() < before {
            self.using.set(ground.targets.distances_to(side, self.unused.iter().copied()));
        }
    }
}

/// The blocks of a version that use what a changed line computes, directly or through others.
fn users(ground: &DiffContext<'_>, side: Side) -> BTreeSet<BlockId> {
    let Version { code, flow, .. } = ground.version(side);
    let changes = ground.site.pair.changes.changes.iter();
    let places = changes.filter_map(|change| if side == Side::Old { change.old.as_ref() } else { change.new.as_ref() });
    let lines: BTreeSet<(BlockId, u32)> =
        places.flat_map(|place| place.blocks.iter().map(|&block| (block, place.line))).collect();
    let is_changed =
        |statement: &Statement| statement.position.is_some_and(|(_, line, _)| lines.contains(&(statement.block, line)));
    flow.affected(code, is_changed).into_keys().collect()
}
