//! Control dependence: which outcome of which branch decides that a block is executed.

use petgraph::graph::NodeIndex;

use crate::cfg::Cfg;
use crate::graph::{BlockGraph, CallKind, GraphNode, of_blocks, reached};
use crate::id::{BlockId, FunctionId};
use crate::map::ProgramMap;

/// That one outcome of a branch leads to a block for sure, and another one may not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dependence {
    /// The block that ends with the branch.
    pub branch: BlockId,
    /// Which of its successors is taken, in the order of its terminator.
    pub outcome: u32,
    /// What is executed then.
    pub block: BlockId,
}

/// The blocks of a function that are executed whenever it is called and gets to its end, and the control dependences of all
/// that control can get to (Ferrante, Ottenstein and Warren).
///
/// Calls are taken to return. A loop that never ends is taken to be left behind its last block, so that what is executed in each
/// round depends on what it depends on in a loop that ends.
pub fn control_dependence(map: &ProgramMap, function: FunctionId) -> (Vec<BlockId>, Vec<Dependence>) {
    let cfg = Cfg::new(map, function);
    let post_dominators = cfg.post_dominators();
    let always = post_dominators.chain(map[function].first_block).collect();
    let mut dependences = Vec::new();
    for branch in map[function].blocks().filter(|&block| map[block].reachable) {
        let successors = &map[branch].successors;
        if successors.iter().all(|successor| successor == &successors[0]) {
            continue;
        }
        let anyway = post_dominators.immediate(branch);
        for (outcome, &successor) in (0..).zip(successors) {
            let decided = post_dominators.chain(successor).take_while(|&block| Some(block) != anyway);
            dependences.extend(decided.map(|block| Dependence { branch, outcome, block }));
        }
    }
    (always, dependences)
}

/// Why a block is executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DependenceEdge {
    /// An outcome of a branch decides it.
    Branch {
        /// Which of the block's successors, in the order of its terminator.
        outcome: u32,
    },
    /// The function is called.
    Entry,
    /// From a block to a function that it may call.
    Call(CallKind),
    /// From a block that defines something to one whose branch tests it.
    Tested,
}

impl BlockGraph<DependenceEdge> {
    /// The control dependence graph of a whole program. From a block edges lead to those that an outcome of its branch decides
    /// about, and to the functions it may call; from a function to the blocks that are executed whenever it is.
    ///
    /// So a way in it is what has to be decided to get from here to there, within what is called from here: returning to a
    /// caller is no part of it.
    pub fn control_dependence(map: &ProgramMap) -> Self {
        Self::dependence(map, [])
    }

    /// The same, with edges from blocks that define something to those whose branch tests it: where such a branch does not depend on
    /// the input, what decides about the definition does.
    pub fn dependence(map: &ProgramMap, tested: impl IntoIterator<Item = (BlockId, BlockId)>) -> Self {
        let mut graph = of_blocks(map);
        for function in map.function_ids() {
            graph.add_node(GraphNode::Entry(function));
        }
        let entry = |function: FunctionId| NodeIndex::new(map.blocks.len() + function.index());
        for function in map.function_ids() {
            let (always, dependences) = control_dependence(map, function);
            for block in always {
                graph.add_edge(entry(function), Self::node(block), DependenceEdge::Entry);
            }
            for Dependence { branch, outcome, block } in dependences {
                graph.add_edge(Self::node(branch), Self::node(block), DependenceEdge::Branch { outcome });
            }
            for block in map[function].blocks() {
                for (callee, kind) in map[block].calls.iter().flat_map(|call| reached(map, call)) {
                    graph.add_edge(Self::node(block), entry(callee), DependenceEdge::Call(kind));
                }
            }
        }
        let is_there = |block: BlockId| block.index() < map.blocks.len();
        for (definition, branch) in tested.into_iter().filter(|&(from, to)| is_there(from) && is_there(to)) {
            graph.add_edge(Self::node(definition), Self::node(branch), DependenceEdge::Tested);
        }
        BlockGraph::new(graph, map.blocks.len())
    }
}
