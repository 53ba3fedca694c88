//! Learning from runs.

use byway_engine::tree::{NodeId, PendingId, PendingOutcome, RunId};
use byway_engine::{ExpectedPath, FlipOutcome, ShardId, TreeEdge};
use byway_exec::TracedRun as Ran;
use byway_solve::Changes;

use super::{Record, SeedSpace, TreeShard};
use crate::Checks;
use crate::annotate::{AnnotatedPath, PathAnnotator};
use crate::seed::SeedRef;

/// What a run came to.
#[derive(Debug)]
pub struct FollowedRun {
    /// Its number.
    pub run: RunId,
    /// The tree of its path.
    pub shard: ShardId,
    /// Its last branch, if it has any.
    pub last: Option<TreeEdge>,
    /// How many of its steps were known before.
    pub known: usize,
    /// Its path.
    pub path: AnnotatedPath,
    /// Whether it took the side that its input was solved for, if it was.
    pub flip: Option<FlipOutcome>,
}

impl SeedSpace {
    /// Learns from a run of an input near a seed. `tried` is the side that the input was solved for. When it is over, all but the
    /// beginning of the path is left out: nothing will be asked about it.
    pub fn learn(
        &mut self,
        seed: SeedRef,
        changes: Changes,
        ran: &Ran,
        tried: Option<PendingId>,
        is_over: &dyn Fn() -> bool,
    ) -> FollowedRun {
        let path = self.annotate(seed, ran, Some(self.checks), is_over);
        self.insert(seed, changes, path, tried)
    }

    /// Learns the path of a seed's own run, without queries: these were asked before, or nobody asks.
    pub fn learn_path(&mut self, seed: SeedRef, ran: &Ran, is_over: &dyn Fn() -> bool) -> FollowedRun {
        let path = self.annotate(seed, ran, None, is_over);
        self.insert(seed, Changes::default(), path, None)
    }

    fn insert(
        &mut self,
        seed: SeedRef,
        changes: Changes,
        mut path: AnnotatedPath,
        tried: Option<PendingId>,
    ) -> FollowedRun {
        let shard = self.shard(seed);
        let run = self.next_run();
        let tree = &mut self.space.shard_mut(shard).tree;
        let expected = tried.map(|pending| (pending, ExpectedPath::new(tree, pending)));
        let added = tree.align(&mut path.path);
        path.insert_steps(&added);
        let inserted = tree.insert(run, &path.path);
        let flip = expected.as_ref().map(|(_, expected)| expected.compare(&path.path));
        if let Some((pending, _)) = expected.filter(|_| flip != Some(FlipOutcome::Taken)) {
            tree.close(pending, PendingOutcome::Missed);
        }
        self.runs.push(Record { seed, changes });
        let last = inserted.leaf.map(|(node, side): (NodeId, u32)| TreeEdge { shard, node, side });
        FollowedRun { run, shard, last, known: inserted.known, path, flip }
    }

    /// The path of a run of a seed, or of an input near it.
    fn annotate(
        &mut self,
        seed: SeedRef,
        ran: &Ran,
        checks: Option<Checks>,
        is_over: &dyn Fn() -> bool,
    ) -> AnnotatedPath {
        let sources = self.originals[seed].sources(&ran.trace);
        let (mut importer, solver) = self.context.import(&ran.trace, Some(sources));
        let builder = self.space.builder_mut();
        PathAnnotator { builder, solver, checks, is_over }.annotate(&ran.trace, &mut importer)
    }

    /// A run that was asked for came to nothing.
    pub fn give_up(&mut self, shard: ShardId, pending: PendingId) {
        self.space.shard_mut(shard).tree.close(pending, PendingOutcome::Missed);
    }

    /// The tree of a seed.
    fn shard(&mut self, seed: SeedRef) -> ShardId {
        if let Some(known) = self.shard_of[seed] {
            return known;
        }
        let layout = self.originals[seed].layout();
        let space = &mut self.space;
        let shard = *self.layouts.entry(layout).or_insert_with(|| space.add_shard(TreeShard::new()));
        self.shard_of[seed] = Some(shard);
        shard
    }
}
