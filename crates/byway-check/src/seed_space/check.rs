//! Asking whether operations on a path can fail.

use std::sync::Mutex;

use byway_engine::tree::NodeId;
use byway_engine::{ShardId, TreeEdge};
use byway_report::Limit;
use byway_solve::Changes;

use super::{FollowedRun, Record, SeedSpace};
use crate::annotate::{CheckedOperation, PathItem};
use crate::checker::{Base, CheckerReply, PutOff};
use crate::clock::Allowance;
use crate::follower::{self, Byte};
use crate::lock;
use crate::seed::SeedRef;
use crate::statistics::SiteStatistics;

/// An input that should make an operation fail.
#[derive(Debug)]
pub struct SuspectInput {
    /// What should fail.
    pub operation: CheckedOperation,
    /// Its seed.
    pub seed: SeedRef,
    /// The last branch before the operation.
    pub last: Option<TreeEdge>,
    /// What has to change against the seed, best first; each is an input of its own.
    pub options: Vec<Changes>,
}

impl SeedSpace {
    /// Asks the queries on the path of a run, from a step on, until it is over: all, or those that were put off. What can fail,
    /// and what was put off.
    pub fn check(
        &mut self,
        learned: &FollowedRun,
        from: usize,
        again: Option<&PutOff>,
        statistics: &Mutex<SiteStatistics>,
        (time, is_over): (&Allowance, &dyn Fn() -> bool),
    ) -> (Vec<SuspectInput>, PutOff) {
        let shard = learned.shard;
        let nodes = learned.last.map(|last| self.nodes_up_to(last)).unwrap_or_default();
        if again.is_none() {
            lock(statistics).counters.note_path(&learned.path, from);
        }
        self.checker.begin_path(Some(time));
        let mut put_off = PutOff::default();
        self.go_behind(shard, from.checked_sub(1).map(|last| nodes[last]));
        let SeedSpace { context, space, checker, .. } = self;
        let Record { seed, changes } = &self.runs[learned.run as usize];
        let (seed, base) = (*seed, Base { original: &self.originals[*seed], changes });
        let (mut candidates, mut step) = (Vec::new(), 0);
        for item in &learned.path.items {
            if step < from {
                step += usize::from(matches!(item, PathItem::Step));
                continue;
            }
            match *item {
                PathItem::Assumed(assumption) => space.assume(context, assumption),
                PathItem::Step => {
                    let (node, side) = nodes[step];
                    space.take(context, TreeEdge { shard, node, side });
                    step += 1;
                }
                PathItem::Query(query) if again.is_some_and(|again| !again.contains_key(&query.operation)) => {}
                PathItem::Query(query) => {
                    if again.is_some_and(|again| again[&query.operation] == Limit::Unknown) {
                        lock(statistics).counters.take_back(query.operation.violation);
                    }
                    checker.limit_query(context, Some(time));
                    let CheckerReply { options, put_off: why } =
                        checker.check((context, space.condition()), base, &query, statistics, is_over);
                    put_off.extend(why.map(|limit| (query.operation, limit)));
                    if !options.is_empty() {
                        let options = options.iter().map(|changed| changes.with(changed)).collect();
                        let last = step.checked_sub(1).map(|last| nodes[last]);
                        let last = last.map(|(node, side)| TreeEdge { shard, node, side });
                        candidates.push(SuspectInput { operation: query.operation, seed, last, options });
                    }
                }
            }
        }
        (candidates, put_off)
    }

    /// The bytes that differ from the seed in the input of a run, as all contexts know them.
    pub fn bytes(&self, changes: &Changes) -> Vec<Byte> {
        follower::bytes(&self.context, &changes.iter().collect::<Vec<_>>())
    }

    /// The last branch before an operation of the same run.
    pub fn locate(&self, learned: &FollowedRun, operation: CheckedOperation) -> Option<TreeEdge> {
        let steps = learned.path.steps_before(operation.event)? as usize;
        let (node, side) = *self.nodes_up_to(learned.last?).get(steps.checked_sub(1)?)?;
        Some(TreeEdge { shard: learned.shard, node, side })
    }

    /// Goes behind a branch, or to the beginning of the program.
    fn go_behind(&mut self, shard: ShardId, last: Option<(NodeId, u32)>) {
        let SeedSpace { context, space, .. } = self;
        match last {
            None => space.go_to_start(context, shard),
            Some((node, side)) => {
                space.go_to(context, shard, node);
                space.take(context, TreeEdge { shard, node, side });
            }
        }
    }
}
