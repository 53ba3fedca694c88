//! Directed search with targets of its own for each pending: by what the run that it leaves came by before.

use std::collections::BTreeSet;
use std::sync::Arc;

use byway_map::BlockId;
use rustc_hash::FxHashMap;

use super::groups::Groups;
use super::{Facts, RunFacts, Searcher, View};
use crate::tree::{PathPoint, PendingId};

/// Says which targets a pending has, and how near they are. A stage is what the targets depend on.
pub trait Stages: Send + Sync {
    /// The stage at the beginning of a run, and behind each of the places that it came by.
    fn stages(&self, points: &[PathPoint]) -> Vec<u32>;

    /// How urgent it is to go on in a block at a stage: first a rank, then the distance to a target, the smallest first. `None` if no
    /// way leads to one. Runs make it less urgent, never more.
    fn urgency(&self, stage: u32, block: BlockId) -> Option<(u32, u32)>;
}

/// The most urgent pending. To have been chosen counts as a step of distance: what is near and leads nowhere does not keep what is farther
/// away from its turn. What leads to no target of its stage is left to other searchers.
pub struct Staged {
    stages: Arc<dyn Stages>,
    groups: Groups,
    /// The group of a stage and a block.
    numbers: FxHashMap<(u32, BlockId), u32>,
    places: Vec<Place>,
    /// Groups with pendings, in the order of choice as it was when somebody looked last.
    order: BTreeSet<Key>,
    /// The stages of the run whose pendings are added.
    of_run: Vec<u32>,
}

/// A stage and a block.
struct Place {
    stage: u32,
    block: BlockId,
    /// How often it was chosen.
    tries: u32,
    /// Its place in the order.
    key: Key,
}

/// Rank, distance with what was tried, group.
type Key = (u32, u32, u32);

impl Staged {
    /// A search with these stages.
    pub fn new(stages: Arc<dyn Stages>) -> Staged {
        let (groups, numbers) = (Groups::default(), FxHashMap::default());
        Staged { stages, groups, numbers, places: Vec::new(), order: BTreeSet::new(), of_run: Vec::new() }
    }

    fn key(&self, group: u32) -> Key {
        let Place { stage, block, tries, .. } = self.places[group as usize];
        match self.stages.urgency(stage, block) {
            Some((rank, distance)) => (rank, distance.saturating_add(tries), group),
            None => (u32::MAX, u32::MAX, group),
        }
    }

    /// Gives a group its place in the order.
    fn arrange(&mut self, group: u32) {
        let key = self.key(group);
        let before = std::mem::replace(&mut self.places[group as usize].key, key);
        self.order.remove(&before);
        self.order.insert(key);
    }

    fn group(&mut self, stage: u32, block: BlockId) -> u32 {
        let next = self.places.len() as u32;
        let group = *self.numbers.entry((stage, block)).or_insert(next);
        if group == next {
            self.places.push(Place { stage, block, tries: 0, key: (0, 0, group) });
        }
        group
    }
}

impl Searcher for Staged {
    fn ran(&mut self, run: &RunFacts<'_>) {
        self.of_run = self.stages.stages(run.points);
    }

    fn add(&mut self, pending: PendingId, facts: &Facts) {
        let Some(&stage) = self.of_run.get(facts.points) else { return };
        let blocks: Vec<BlockId> = facts.target.into_iter().chain(facts.also.iter().copied()).collect();
        let groups: Vec<u32> = blocks.into_iter().map(|block| self.group(stage, block)).collect();
        if let Some((.., group)) = groups.into_iter().map(|group| self.key(group)).min() {
            self.groups.add(pending, group);
            self.arrange(group);
        }
    }

    fn remove(&mut self, pending: PendingId) {
        let Some(group) = self.groups.remove(pending) else { return };
        if self.groups.members(group).is_empty() {
            self.order.remove(&self.places[group as usize].key);
        }
    }

    fn pick(&mut self, view: &mut View<'_>) -> Option<PendingId> {
        // What is first now was first before: nothing becomes more urgent.
        loop {
            let &known = self.order.first()?;
            let (rank, _, group) = known;
            if rank == u32::MAX {
                return None;
            }
            self.arrange(group);
            if self.places[group as usize].key == known {
                self.places[group as usize].tries += 1;
                self.arrange(group);
                return self.groups.choose(group, view.dice);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Mutex;
    use std::time::Duration;

    use super::*;
    use crate::search::{BlockCoverage, Dice};
    use crate::tree::{BranchPath, PathTree, Step};

    /// Urgencies that are written down; a stage is how many places a run came by.
    #[derive(Default)]
    struct Written(Mutex<BTreeMap<(u32, u32), (u32, u32)>>);

    impl Stages for Written {
        fn stages(&self, points: &[PathPoint]) -> Vec<u32> {
            (0..=points.len() as u32).collect()
        }

        fn urgency(&self, stage: u32, block: BlockId) -> Option<(u32, u32)> {
            self.0.lock().unwrap().get(&(stage, block.number())).copied()
        }
    }

    struct Search {
        written: Arc<Written>,
        staged: Staged,
        tree: PathTree,
    }

    impl Search {
        /// One pending at each stage, in block 7, with these ranks and distances.
        fn new(urgencies: &[(u32, u32)]) -> Search {
            let written = Arc::new(Written::default());
            let mut tree = PathTree::new(None);
            let mut path = BranchPath::default();
            for (stage, &urgency) in (0..).zip(urgencies) {
                written.0.lock().unwrap().insert((stage, 7), urgency);
                path.push(stage + 1, 0, stage + 1, 0, 2);
                path.note_point(7, 0);
            }
            let inserted = tree.insert(0, &path);
            let mut staged = Staged::new(written.clone());
            let coverage = BlockCoverage::default();
            let block = |_: &Step, _: u32| Some(BlockId::new(7));
            let run = RunFacts {
                tree: &tree,
                taken: &[],
                took: None,
                target: &block,
                blocks: &[],
                points: path.points(),
                coverage: &coverage,
            };
            staged.ran(&run);
            for (points, pending) in inserted.added.map(PendingId).enumerate() {
                let (node, side) = tree.place_of(pending);
                let step = tree.step(node, side);
                let facts = Facts {
                    step,
                    node,
                    depth: 1,
                    target: Some(BlockId::new(7)),
                    also: &[],
                    points,
                    run: 0,
                    score: 0,
                    since_new: None,
                    cost: Duration::ZERO,
                };
                staged.add(pending, &facts);
            }
            Search { written, staged, tree }
        }

        fn write(&self, stage: u32, urgency: (u32, u32)) {
            self.written.0.lock().unwrap().insert((stage, 7), urgency);
        }

        fn pick(&mut self) -> Option<u32> {
            let mut coverage = BlockCoverage::default();
            let mut view = View { tree: &self.tree, coverage: &mut coverage, dice: &mut Dice::new(0) };
            self.staged.pick(&mut view).map(|pending| pending.index() as u32)
        }
    }

    #[test]
    fn ranks_come_before_distances() {
        let mut search = Search::new(&[(5, 1), (4, 9), (4, 8)]);
        assert_eq!(search.pick(), Some(2));
    }

    #[test]
    fn what_became_less_urgent_is_overtaken_by_what_did_not() {
        // Each stage is a history; the first one's targets were all reached, and the second one's were not.
        let mut search = Search::new(&[(0, 1), (1001, 3), (2002, 1)]);
        search.write(0, (2004, 1));
        assert_eq!(search.pick(), Some(1));
        search.write(1, (2004, 3));
        assert_eq!(search.pick(), Some(2), "what fewer runs executed");
    }

    #[test]
    fn what_is_chosen_in_vain_leaves_its_turn_to_what_is_farther_away() {
        let mut search = Search::new(&[(0, 1), (0, 3)]);
        let picks: Vec<_> = (0..6).map(|_| search.pick().unwrap()).collect();
        assert_eq!(picks, [0, 0, 0, 1, 0, 1]);
    }

    #[test]
    fn what_leads_to_no_target_is_left_to_others() {
        let mut search = Search::new(&[(0, 1)]);
        search.written.0.lock().unwrap().clear();
        assert_eq!(search.pick(), None);
    }
}
