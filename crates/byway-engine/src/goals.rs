//! What there is to cover in a program, and how far it is.

use std::fmt::Debug;
use std::sync::Arc;

use byway_map::{BlockGraph, BlockId, CallKind, Distances, FlowEdge, ProgramMap};

/// How far blocks of a program are from each other.
pub trait Metric: Debug + Send + Sync {
    /// The distance of each block from the nearest target.
    fn distances(&self, targets: &mut dyn Iterator<Item = BlockId>) -> Distances;
}

/// Distances in a graph over the blocks of a program.
#[derive(Debug)]
pub struct GraphMetric<E> {
    graph: BlockGraph<E>,
    length: fn(&E) -> Option<u32>,
}

impl<E> GraphMetric<E> {
    /// `length` says how long an edge is, by its kind; `None` leaves it out.
    pub fn new(graph: BlockGraph<E>, length: fn(&E) -> Option<u32>) -> GraphMetric<E> {
        GraphMetric { graph, length }
    }
}

impl<E: Copy + Debug + Send + Sync> Metric for GraphMetric<E> {
    fn distances(&self, targets: &mut dyn Iterator<Item = BlockId>) -> Distances {
        self.graph.distances(targets, self.length)
    }
}

/// The blocks of a program that count, and how far it is to them.
#[derive(Debug, Clone)]
pub struct Goals {
    metric: Arc<dyn Metric>,
    wanted: Vec<bool>,
}

impl Default for Goals {
    fn default() -> Self {
        Goals::with_metric(Arc::new(GraphMetric::new(BlockGraph::<FlowEdge>::default(), steps)), Vec::new())
    }
}

impl Goals {
    /// `wanted` says of each block whether covering it counts: not if control never gets there. Distances are numbers of blocks on the way
    /// of control.
    pub fn new(map: &ProgramMap, wanted: Vec<bool>) -> Goals {
        Goals::with_metric(Arc::new(GraphMetric::new(BlockGraph::control_flow(map), steps)), wanted)
    }

    /// The same with other distances.
    pub fn with_metric(metric: Arc<dyn Metric>, wanted: Vec<bool>) -> Goals {
        Goals { metric, wanted }
    }

    /// How many blocks there are, also of those that do not count.
    pub fn block_count(&self) -> usize {
        self.wanted.len()
    }

    /// Whether covering a block counts.
    pub fn is_wanted(&self, block: BlockId) -> bool {
        self.wanted.get(block.index()) == Some(&true)
    }

    /// How far each block is from the nearest that counts and is not covered.
    pub fn distances(&self, is_covered: impl Fn(BlockId) -> bool) -> Distances {
        let blocks = (0..self.wanted.len() as u32).map(BlockId::new);
        self.metric.distances(&mut blocks.filter(|&block| self.is_wanted(block) && !is_covered(block)))
    }
}

/// Each block is a step, and so are a call and a return. Through a pointer every function of its type would be one step away, so
/// such calls are no way.
fn steps(edge: &FlowEdge) -> Option<u32> {
    match edge {
        FlowEdge::Past | FlowEdge::End => Some(0),
        FlowEdge::Successor | FlowEdge::Call(CallKind::Direct) | FlowEdge::Return(CallKind::Direct) => Some(1),
        FlowEdge::Call(_) | FlowEdge::Return(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use byway_map::sketch::Sketch;

    use super::*;

    fn goals(wanted: [bool; 2]) -> Goals {
        let mut sketch = Sketch::default();
        sketch.function("main", &[&[1], &[]]);
        Goals::new(&sketch.finish(), wanted.to_vec())
    }

    #[test]
    fn where_everything_is_covered_nothing_is_near() {
        let first = BlockId::new(0);
        assert_eq!(goals([true; 2]).distances(|_| true).of(first), None);
        assert_eq!(goals([true; 2]).distances(|block| block == first).of(first), Some(1));
    }

    #[test]
    fn unwanted_blocks_draw_nothing() {
        let first = BlockId::new(0);
        assert_eq!(goals([true, false]).distances(|block| block == first).of(first), None);
    }
}
