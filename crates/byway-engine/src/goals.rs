//! What there is to cover in a program, and how far it is.

use byway_map::{BlockGraph, BlockId, CallKind, Distances, FlowEdge, ProgramMap};

/// The control flow of a program, and the blocks that count.
#[derive(Debug, Clone, Default)]
pub struct Goals {
    flow: BlockGraph<FlowEdge>,
    wanted: Vec<bool>,
}

impl Goals {
    /// `wanted` says of each block whether covering it counts: not if control never gets there.
    pub fn new(map: &ProgramMap, wanted: Vec<bool>) -> Goals {
        Goals { flow: BlockGraph::control_flow(map), wanted }
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
        self.flow.distances(blocks.filter(|&block| self.is_wanted(block) && !is_covered(block)), steps)
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
