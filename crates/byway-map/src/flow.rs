//! The control flow of a whole program.

use petgraph::graph::NodeIndex;

use crate::graph::{BlockGraph, CallKind, GraphNode, of_blocks, reached};
use crate::map::ProgramMap;

/// A step of control flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FlowEdge {
    /// Past the calls of a block, if it has any.
    Past,
    /// From a block to one that may come next in the function.
    Successor,
    /// From a block into a function that it may call.
    Call(CallKind),
    /// From a block at whose end its function may return to the function's return.
    End,
    /// From a function's return to behind a call of it.
    Return(CallKind),
}

impl BlockGraph<FlowEdge> {
    /// The way goes forward through the whole program: to the successors of a block, into the functions it may call, past those
    /// calls, and from the return of a function to whatever follows its calls.
    ///
    /// A block is two nodes, before and after its calls; a function's return is a node too, so that many returns and many
    /// callers do not multiply. A block without successors is taken to return, also if it ends the program.
    pub fn control_flow(map: &ProgramMap) -> Self {
        let mut graph = of_blocks(map);
        for block in map.block_ids() {
            graph.add_node(GraphNode::AfterCalls(block));
        }
        for function in map.function_ids() {
            graph.add_node(GraphNode::Return(function));
        }
        let blocks = map.blocks.len();
        let after = |block: crate::BlockId| NodeIndex::new(blocks + block.index());
        let end = |function: crate::FunctionId| NodeIndex::new(2 * blocks + function.index());
        for function in map.function_ids() {
            for block in map[function].blocks() {
                graph.add_edge(Self::node(block), after(block), FlowEdge::Past);
                for (callee, kind) in map[block].calls.iter().flat_map(|call| reached(map, call)) {
                    graph.add_edge(Self::node(block), Self::node(map[callee].first_block), FlowEdge::Call(kind));
                    graph.add_edge(end(callee), after(block), FlowEdge::Return(kind));
                }
                for &successor in &map[block].successors {
                    graph.add_edge(after(block), Self::node(successor), FlowEdge::Successor);
                }
                if map[block].successors.is_empty() {
                    graph.add_edge(after(block), end(function), FlowEdge::End);
                }
            }
        }
        BlockGraph::new(graph, map.blocks.len())
    }
}
