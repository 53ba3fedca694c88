//! The part of the tree of paths around a divergence point: what lies below the sides that a seed did not take there, as far
//! as a bound on the number of forks.
//!
//! A node is a fork if at least two of its sides can be taken; the others cost nothing, however many there are. The region is
//! gone through level by level, a level being a number of forks. What other seeds or earlier distances have found out is in
//! the tree already, so nothing is tried twice.

use std::collections::VecDeque;

use byway_engine::tree::{NodeId, PathTree, PendingId, PendingOutcome, Side};

/// A region that is being gone through.
#[derive(Debug)]
pub struct Region {
    bound: u32,
    /// Nodes to visit, those of a lower level first.
    queue: VecDeque<Visit>,
}

#[derive(Debug, Clone, Copy)]
struct Visit {
    node: NodeId,
    /// How many forks there are up to here, this node counted if it is one.
    level: u32,
    /// The sides before this one are settled.
    side: u32,
    /// A side that does not belong to the region.
    outside: Option<u32>,
}

impl Region {
    /// The region around a node that a seed left by the side `taken`, with at most `bound` forks on each way.
    pub fn new(node: NodeId, taken: u32, bound: u32) -> Region {
        Region { bound, queue: VecDeque::from([Visit { node, level: 1, side: 0, outside: Some(taken) }]) }
    }

    /// The next side to try. Before this is asked again, the tree must know what became of it.
    pub fn next(&mut self, tree: &PathTree) -> Option<PendingId> {
        while let Some(visit) = self.queue.front_mut() {
            if visit.level > self.bound {
                self.queue.clear();
                return None;
            }
            while visit.side < tree.side_count(visit.node) {
                let side = visit.side;
                visit.side += 1;
                if let Side::Pending(pending) = tree.side(visit.node, side) {
                    return Some(pending);
                }
            }
            let visit = *visit;
            self.queue.pop_front();
            self.go_on(tree, visit);
        }
        None
    }

    /// All sides of a node are settled: what is behind them comes next.
    fn go_on(&mut self, tree: &PathTree, visit: Visit) {
        let is_fork = !tree.is_alternative(visit.node) && is_fork(tree, visit.node);
        let sides = (0..tree.side_count(visit.node)).rev().filter(|&side| visit.outside != Some(side));
        for side in sides {
            let Side::Node(node) = tree.side(visit.node, side) else { continue };
            let next = Visit { node, level: visit.level, side: 0, outside: None };
            match is_fork {
                true => self.queue.push_back(Visit { level: visit.level + 1, ..next }),
                false => self.queue.push_front(next),
            }
        }
    }
}

/// Whether a side can be taken, as far as is known.
pub fn is_feasible(side: Side) -> bool {
    !matches!(
        side,
        Side::Pending(_) | Side::TooDeep | Side::Closed(PendingOutcome::Infeasible | PendingOutcome::Unknown)
    )
}

/// Whether at least two sides of a node can be taken.
fn is_fork(tree: &PathTree, node: NodeId) -> bool {
    let feasible = (0..tree.side_count(node)).filter(|&side| is_feasible(tree.side(node, side)));
    feasible.take(2).count() == 2
}

#[cfg(test)]
mod tests {
    use byway_engine::tree::{BranchPath, Constraint};

    use super::*;
    use crate::approach::{Approach, Next};

    /// A program that reads a number: the sites it meets, and the sides it takes there.
    type Program = fn(i32) -> Vec<(u32, u32)>;

    /// Figure 4 of the paper: `if (x > 99) { if (x > 199) return; x = 99; } v[x] = 0;`
    fn figure_4(x: i32) -> Vec<(u32, u32)> {
        match x {
            200.. => vec![(1, 1), (2, 1)],
            100..=199 => vec![(1, 1), (2, 0)],
            _ => vec![(1, 0)],
        }
    }

    /// Eight bits, each a branch, the third of which never is set.
    fn bits(x: i32) -> Vec<(u32, u32)> {
        let x = x & !4;
        (0..8).map(|bit| (bit, (x >> bit & 1) as u32)).collect()
    }

    /// Runs a program, and solves by trying.
    struct Driver {
        program: Program,
        tree: PathTree,
        runs: Vec<i32>,
    }

    impl Driver {
        fn new(program: Program, seed: i32) -> Driver {
            let mut driver = Driver { program, tree: PathTree::new(None), runs: Vec::new() };
            driver.run(seed);
            driver
        }

        fn run(&mut self, input: i32) {
            let mut path = BranchPath::new();
            (self.program)(input).iter().for_each(|&(site, side)| path.push(site, 0, site, side, 2));
            self.tree.insert(self.runs.len() as u32, &path);
            self.runs.push(input);
        }

        /// An input that takes a side, as near to that of the run which met it as possible.
        fn solve(&self, pending: PendingId) -> Option<i32> {
            let wanted: Vec<(u32, u32)> = self.tree.constraints(pending).filter_map(decided).collect();
            let from = self.runs[self.tree.run_of(pending) as usize];
            let takes = |&input: &i32| (self.program)(input).starts_with(&wanted);
            (0..1000).filter(takes).min_by_key(|input| input.abs_diff(from))
        }

        /// Explores around a node; the inputs that were run.
        fn explore(&mut self, node: NodeId, taken: u32, bound: u32) -> Vec<i32> {
            let before = self.runs.len();
            let mut region = Region::new(node, taken, bound);
            while let Some(pending) = region.next(&self.tree) {
                match self.solve(pending) {
                    Some(input) => self.run(input),
                    None => _ = self.tree.close(pending, PendingOutcome::Infeasible),
                }
            }
            self.runs[before..].to_vec()
        }

        /// The divergence points of the first run at a distance before its operations.
        fn points(&mut self, distance: u32, positions: &[u32]) -> Vec<u32> {
            let mut approach = Approach::new(distance, self.first_path(), positions);
            let mut solved = Vec::new();
            let mut points = Vec::new();
            loop {
                match approach.next(&self.tree, |pending| solved.contains(&pending)) {
                    Next::Unknown(pending) => match self.solve(pending) {
                        Some(_) => solved.push(pending),
                        None => _ = self.tree.close(pending, PendingOutcome::Infeasible),
                    },
                    Next::Point(node, _) => points.push(self.tree.step(node, 0).site),
                    Next::End => return points,
                }
            }
        }

        fn first_path(&self) -> Vec<(NodeId, u32)> {
            let mut nodes = Vec::new();
            let mut at = self.tree.root();
            for (_, side) in (self.program)(self.runs[0]) {
                let Some(node) = at else { break };
                nodes.push((node, side));
                at = match self.tree.side(node, side) {
                    Side::Node(next) => Some(next),
                    _ => None,
                };
            }
            nodes
        }
    }

    fn decided(constraint: Constraint) -> Option<(u32, u32)> {
        match constraint {
            Constraint::Decided { site, side, .. } => Some((site, side)),
            Constraint::Assumed(_) => None,
        }
    }

    #[test]
    fn the_second_figure_of_the_paper_needs_distance_2() {
        let mut driver = Driver::new(figure_4, 150);
        assert_eq!(
            (driver.points(1, &[2]), driver.points(2, &[2]), driver.points(3, &[2])),
            (vec![2], vec![1], vec![])
        );
        let path = driver.first_path();
        assert_eq!(driver.explore(path[1].0, path[1].1, 2), [200]);
        assert_eq!(driver.explore(path[0].0, path[0].1, 4), [99]);
    }

    #[test]
    fn what_cannot_be_taken_is_no_divergence_point() {
        let mut driver = Driver::new(bits, 0);
        assert_eq!(driver.points(1, &[4, 8]), [7, 3]);
        assert_eq!(driver.points(2, &[4, 8]), [6, 1]);
        assert_eq!(driver.points(1, &[1, 2, 3, 3, 4]), [3, 1, 0]);
    }

    #[test]
    fn a_region_has_a_bounded_number_of_forks() {
        let mut driver = Driver::new(bits, 0);
        let (node, taken) = driver.first_path()[1];
        // The branch itself, then bit 3; bit 2 is no fork.
        assert_eq!(driver.explore(node, taken, 1), [2]);
        assert_eq!(driver.explore(node, taken, 2), [10]);
        assert_eq!(driver.explore(node, taken, 3).len(), 2);
    }

    #[test]
    fn nothing_is_run_twice() {
        let mut driver = Driver::new(bits, 0);
        let path = driver.first_path();
        for &(node, taken) in path.iter().rev() {
            driver.explore(node, taken, 8);
        }
        let mut paths: Vec<i32> = driver.runs.iter().map(|input| input & 0xff & !4).collect();
        paths.sort_unstable();
        paths.dedup();
        assert_eq!((paths.len(), driver.runs.len()), (128, 128));
    }
}
