//! The control flow of one function, and which blocks are on every way to its end.

use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::Reversed;

use crate::id::{BlockId, FunctionId};
use crate::map::ProgramMap;

/// An edge of a [`Cfg`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CfgEdge {
    /// To a successor: which of the block's, in the order of its terminator.
    Outcome(u32),
    /// Out of the function, or of the program.
    Leave,
    /// From an endless loop to the exit. It is never taken: it is there since otherwise nothing would be on every way from the
    /// loop to the exit.
    Never,
}

/// The control flow of one function, with one exit.
#[derive(Debug, Clone)]
pub struct Cfg {
    graph: DiGraph<Option<BlockId>, CfgEdge>,
    first_block: BlockId,
    exit: NodeIndex,
}

impl Cfg {
    /// The control flow of a function. Every block has a way to the exit.
    pub fn new(map: &ProgramMap, function: FunctionId) -> Cfg {
        let function = &map[function];
        let mut graph: DiGraph<Option<BlockId>, CfgEdge> = DiGraph::new();
        for block in function.blocks() {
            graph.add_node(Some(block));
        }
        let exit = graph.add_node(None);
        let mut cfg = Cfg { graph, first_block: function.first_block, exit };
        for block in function.blocks() {
            for (outcome, &successor) in (0..).zip(&map[block].successors) {
                cfg.graph.add_edge(cfg.node(block), cfg.node(successor), CfgEdge::Outcome(outcome));
            }
            if map[block].successors.is_empty() {
                cfg.graph.add_edge(cfg.node(block), exit, CfgEdge::Leave);
            }
        }
        cfg.open_endless_loops();
        cfg
    }

    /// Each loop that nothing leaves gets an edge to the exit, from its last block in the order of the function.
    fn open_endless_loops(&mut self) {
        let components = kosaraju_scc(&self.graph);
        let mut component_of = vec![0; self.graph.node_count()];
        for (number, component) in components.iter().enumerate() {
            component.iter().for_each(|node| component_of[node.index()] = number);
        }
        for (number, component) in components.iter().enumerate() {
            let mut successors = component.iter().flat_map(|&node| self.graph.neighbors(node));
            let is_closed = successors.all(|next| component_of[next.index()] == number);
            if let Some(&last) = component.iter().max().filter(|&&last| is_closed && last != self.exit) {
                self.graph.add_edge(last, self.exit, CfgEdge::Never);
            }
        }
    }

    /// The graph itself; the exit is the node without a block.
    pub fn graph(&self) -> &DiGraph<Option<BlockId>, CfgEdge> {
        &self.graph
    }

    /// The node of a block of this function.
    pub fn node(&self, block: BlockId) -> NodeIndex {
        NodeIndex::new(block.index() - self.first_block.index())
    }

    /// The node behind all that leave the function.
    pub fn exit(&self) -> NodeIndex {
        self.exit
    }

    /// Which blocks are on every way to the exit.
    pub fn post_dominators(&self) -> PostDominators<'_> {
        PostDominators { cfg: self, dominators: simple_fast(Reversed(&self.graph), self.exit) }
    }
}

/// The post-dominators of the blocks of a function.
#[derive(Debug, Clone)]
pub struct PostDominators<'a> {
    cfg: &'a Cfg,
    dominators: Dominators<NodeIndex>,
}

impl PostDominators<'_> {
    /// The first block behind this one that is on every way to the exit; `None` if only the exit is.
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        self.cfg.graph[self.dominators.immediate_dominator(self.cfg.node(block))?]
    }

    /// A block and all that are on every way from it to the exit, the nearest first.
    pub fn chain(&self, block: BlockId) -> impl Iterator<Item = BlockId> {
        std::iter::successors(Some(block), |&block| self.immediate(block))
    }
}
