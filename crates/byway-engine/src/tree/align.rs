//! Concretizations with several values.
//!
//! The values that runs took at one place of the tree are a chain: is it the first one, if not the second one, and so on; the
//! side "another value" of the last is pending. A run knows only its own value. [`PathTree::align`] puts in front of it that
//! it is none of those which the tree has there already, so that its path leads through the chain.

use super::{BranchPath, NodeId, PathTree, Side, Step, StepKind};

/// What the tree has where a step of a path is.
enum Known {
    /// The step.
    Same(NodeId),
    /// A concretization of the same expression to another value.
    OtherValue(NodeId),
}

impl PathTree {
    /// Makes a path go through the values that other runs took where it concretizes: each is a step that it takes to side 0.
    /// Returns the positions of the steps that were added, in ascending order.
    pub fn align(&self, path: &mut BranchPath) -> Vec<usize> {
        let mut added = Vec::new();
        if !path.steps().iter().any(|step| step.kind == StepKind::Concretization) {
            return added;
        }
        let mut steps = Vec::with_capacity(path.steps().len());
        let mut at = self.root();
        for (index, step) in path.steps().iter().enumerate() {
            let mut assumed = path.assumptions(index);
            while let Some(node) = at {
                match self.known(node, step, assumed) {
                    Some(Known::Same(node)) => {
                        at = self.behind(node, step.side);
                        break;
                    }
                    Some(Known::OtherValue(node)) => {
                        added.push(steps.len());
                        steps.push(Step { assumed: step.assumed, ..self.step(node, 0) });
                        at = self.behind(node, 0);
                        assumed = &[];
                    }
                    None => at = None,
                }
            }
            steps.push(*step);
        }
        path.replace_steps(steps);
        added
    }

    /// The node behind a side, if there is one.
    fn behind(&self, node: NodeId, side: u32) -> Option<NodeId> {
        if side == Step::NEITHER {
            return None;
        }
        match self.side(node, side) {
            Side::Node(next) => Some(next),
            _ => None,
        }
    }

    /// The node for a step among the alternatives at a node; one of another value only if there is none of its own.
    fn known(&self, node: NodeId, step: &Step, assumed: &[u32]) -> Option<Known> {
        let mut other = None;
        let mut rest = Some(node);
        while let Some(node) = rest {
            let (this, others) = self.split_alternative(node);
            if self.assumptions(this) == assumed {
                if self.is_step(this, step) {
                    return Some(Known::Same(this));
                }
                other = other.or(self.is_other_value(this, step).then_some(this));
            }
            rest = others;
        }
        other.map(Known::OtherValue)
    }

    fn is_other_value(&self, node: NodeId, step: &Step) -> bool {
        let known = self.step(node, 0);
        let key = |step: &Step| (step.kind, step.site, step.place, step.value);
        step.kind == StepKind::Concretization && key(&known) == key(step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{PendingId, RunId};

    /// Two branches with a concretization between them; the condition of a value has its number.
    fn run(tree: &mut PathTree, run: RunId, value: u32) -> (Vec<usize>, Vec<(u32, u32)>) {
        let mut path = BranchPath::new();
        path.push(1, 0, 1, 0, 2);
        path.assume(77);
        path.concretize((2, 0), 9, value);
        path.push(3, 0, 3, 1, 2);
        let added = tree.align(&mut path);
        tree.insert(run, &path);
        (added, path.steps().iter().map(|step| (step.condition, step.side)).collect())
    }

    #[test]
    fn a_second_value_goes_behind_the_first() {
        let mut tree = PathTree::new(None);
        assert_eq!(run(&mut tree, 0, 100), (vec![], vec![(1, 0), (100, 1), (3, 1)]));
        assert_eq!(run(&mut tree, 1, 200), (vec![1], vec![(1, 0), (100, 0), (200, 1), (3, 1)]));
        assert_eq!(run(&mut tree, 2, 300), (vec![1, 2], vec![(1, 0), (100, 0), (200, 0), (300, 1), (3, 1)]));
        assert_eq!(run(&mut tree, 3, 200).0, [1]);
        assert_eq!((tree.counts().repeated, tree.counts().diverged, tree.counts().assumed_otherwise), (1, 0, 0));
        // Each value has the branch behind it, and the last one says that there may be more.
        let asides = (0..tree.pendings_ever() as u32).map(PendingId).filter(|&pending| tree.is_aside(pending));
        let waiting: Vec<u32> = asides
            .filter(|&pending| tree.is_waiting(pending))
            .map(|p| tree.step(tree.place_of(p).0, 0).condition)
            .collect();
        assert_eq!((waiting, tree.waiting().len()), (vec![300], 4));
    }

    #[test]
    fn what_waits_for_no_searcher_is_not_live_until_a_run_brings_branches_behind_it() {
        let mut tree = PathTree::new(None);
        let mut path = BranchPath::new();
        path.concretize((2, 0), 9, 100);
        tree.insert(0, &path);
        let root = tree.root().unwrap();
        assert_eq!((tree.live_sides(root), tree.waiting_count(), tree.waiting().len()), (0, 1, 0));
        tree.begin(PendingId(0));
        let mut path = BranchPath::new();
        path.concretize((2, 0), 9, 200);
        path.push(3, 0, 3, 1, 2);
        assert_eq!(tree.align(&mut path), [0]);
        assert_eq!(tree.insert(1, &path).took, Some(PendingId(0)));
        assert_eq!((tree.live_sides(root), tree.waiting_count(), tree.waiting().len()), (1, 2, 1));
    }
}
