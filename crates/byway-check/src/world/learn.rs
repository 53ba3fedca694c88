//! Learning from runs.

use byway_exec::Outcome as Ran;
use byway_explore::tree::{NodeId, Outcome, PathTree, PendingId, RunId};
use byway_solve::Changes;
use rustc_hash::FxHashMap;

use super::{Family, Record, Spot, World};
use crate::walk::Walk;

/// What a run came to.
#[derive(Debug)]
pub struct Learned {
    /// Its number.
    pub run: RunId,
    /// The family of its path.
    pub family: usize,
    /// Its last branch, if it has any.
    pub last: Option<Spot>,
    /// How many of its steps were known before.
    pub known: usize,
    /// Its way.
    pub walk: Walk,
    /// Whether it did not take the side that its input was solved for.
    pub is_elsewhere: bool,
}

impl World {
    /// Learns from a run of an input near a seed. `tried` is the side that the input was solved for. When it is over, all but the
    /// beginning of the path is left out: nobody will ask.
    pub fn learn(
        &mut self,
        seed: usize,
        changes: Changes,
        ran: &Ran,
        tried: Option<PendingId>,
        is_over: &dyn Fn() -> bool,
    ) -> Learned {
        let family = self.family(seed);
        let original = &mut self.originals[seed];
        let mut walk = self.asker.walk(original, ran, is_over, |walker, importer| walker.walk(&ran.trace, importer));
        let run = self.next_run();
        let tree = &mut self.families[family].tree;
        let added = tree.align(&mut walk.path);
        walk.insert_steps(&added);
        let inserted = tree.insert(run, &walk.path);
        let is_elsewhere = tried.is_some() && inserted.took != tried;
        if let Some(pending) = tried.filter(|_| is_elsewhere) {
            tree.close(pending, Outcome::Missed);
        }
        self.runs.push(Record { seed, changes });
        let last = inserted.leaf.map(|(node, side): (NodeId, u32)| Spot { family, node, side });
        Learned { run, family, last, known: inserted.known, walk, is_elsewhere }
    }

    /// A run that was asked for came to nothing.
    pub fn give_up(&mut self, family: usize, pending: PendingId) {
        self.families[family].tree.close(pending, Outcome::Missed);
    }

    /// The family of a seed.
    fn family(&mut self, seed: usize) -> usize {
        if let Some(known) = self.family_of[seed] {
            return known;
        }
        let next = self.families.len();
        let family = *self.layouts.entry(self.originals[seed].layout()).or_insert(next);
        if family == next {
            let tree = PathTree::new(None);
            self.families.push(Family { tree, solved: FxHashMap::default(), explored: FxHashMap::default() });
        }
        self.family_of[seed] = Some(family);
        family
    }
}
