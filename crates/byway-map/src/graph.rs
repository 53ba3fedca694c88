//! Graphs over the blocks of a whole program, and distances in them.

use petgraph::Direction;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;

use crate::id::{BlockId, FunctionId};
use crate::map::{Call, ProgramMap};

/// A node of a graph over a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Node {
    /// A block; where blocks have two nodes, its beginning.
    Block(BlockId),
    /// A block behind its calls: a callee returns to the middle of a block.
    AfterCalls(BlockId),
    /// A function, as it is called.
    Entry(FunctionId),
    /// A function, as it returns.
    Return(FunctionId),
}

/// How a call gets to a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CallKind {
    /// It names it.
    Direct,
    /// Through a pointer that may point to it.
    Indirect,
    /// It gives the function's address to one without a body, which may call it.
    Callback,
}

/// A graph over the blocks of a program, with edges of kinds `E`.
///
/// [`BlockGraph::graph`] is one of `petgraph`'s, for whatever else is to be computed on it.
#[derive(Debug, Clone)]
pub struct BlockGraph<E> {
    graph: DiGraph<Node, E>,
    /// How many blocks there are: the node of a block has its number.
    blocks: usize,
}

impl<E> Default for BlockGraph<E> {
    fn default() -> Self {
        BlockGraph { graph: DiGraph::default(), blocks: 0 }
    }
}

impl<E> BlockGraph<E> {
    /// A graph with a node for each block and none of the edges.
    pub(crate) fn of_blocks(map: &ProgramMap) -> Self {
        let mut graph = DiGraph::with_capacity(2 * map.blocks.len() + map.functions.len(), 3 * map.blocks.len());
        for block in map.block_ids() {
            graph.add_node(Node::Block(block));
        }
        BlockGraph { graph, blocks: map.blocks.len() }
    }

    pub(crate) fn add_node(&mut self, node: Node) -> NodeIndex {
        self.graph.add_node(node)
    }

    pub(crate) fn add_edge(&mut self, from: NodeIndex, to: NodeIndex, edge: E) {
        self.graph.add_edge(from, to, edge);
    }

    /// How many blocks there are.
    pub fn block_count(&self) -> usize {
        self.blocks
    }

    /// The graph itself.
    pub fn graph(&self) -> &DiGraph<Node, E> {
        &self.graph
    }

    /// The node of a block.
    pub fn node(block: BlockId) -> NodeIndex {
        NodeIndex::new(block.index())
    }

    /// How far it is from each block to the nearest target. `weight` is the length of an edge; `None` leaves it out.
    ///
    /// This is Dijkstra's algorithm from all targets at once, backwards, with a list of nodes for each distance (Dial): linear in
    /// the size of the graph where weights are small. That of `petgraph` has one start and a heap; searchers ask again after every
    /// run that covers something new.
    pub fn distances(
        &self,
        targets: impl IntoIterator<Item = BlockId>,
        weight: impl Fn(&E) -> Option<u32>,
    ) -> Distances {
        let mut distances = vec![Distances::FAR; self.graph.node_count()];
        let mut queue = Buckets::default();
        for target in targets.into_iter().filter(|target| target.index() < self.blocks) {
            distances[target.index()] = 0;
            queue.push(0, Self::node(target));
        }
        while let Some((distance, node)) = queue.pop() {
            if distances[node.index()] < distance {
                continue;
            }
            for edge in self.graph.edges_directed(node, Direction::Incoming) {
                let Some(longer) = weight(edge.weight()).and_then(|weight| distance.checked_add(weight)) else {
                    continue;
                };
                let known = &mut distances[edge.source().index()];
                if longer < *known {
                    *known = longer;
                    queue.push(longer, edge.source());
                }
            }
        }
        distances.truncate(self.blocks);
        Distances(distances)
    }
}

/// Nodes by their distance. The next one always has the least, and none that is pushed has less than the last that was popped.
#[derive(Default)]
struct Buckets {
    /// The least distance first.
    buckets: std::collections::BTreeMap<u32, Vec<NodeIndex>>,
}

impl Buckets {
    fn push(&mut self, distance: u32, node: NodeIndex) {
        self.buckets.entry(distance).or_default().push(node);
    }

    fn pop(&mut self) -> Option<(u32, NodeIndex)> {
        let mut least = self.buckets.first_entry()?;
        let distance = *least.key();
        let node = least.get_mut().pop();
        if least.get().is_empty() {
            least.remove();
        }
        Some((distance, node?))
    }
}

/// How far each block is from the nearest of some targets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Distances(Vec<u32>);

impl Distances {
    const FAR: u32 = u32::MAX;

    /// The distance of a block: 0 for a target, `None` if no way leads to one.
    pub fn of(&self, block: BlockId) -> Option<u32> {
        self.0.get(block.index()).copied().filter(|&distance| distance != Distances::FAR)
    }
}

/// The functions that a call may reach, and how. A function that can be reached in two ways is there twice.
pub(crate) fn reached<'a>(map: &'a ProgramMap, call: &'a Call) -> impl Iterator<Item = (FunctionId, CallKind)> + 'a {
    let kind = match call.callee {
        crate::Callee::Pointer(_) => CallKind::Indirect,
        _ => CallKind::Direct,
    };
    let called = map.callees(call).iter().map(move |&function| (function, kind));
    called.chain(call.callbacks.iter().map(|&function| (function, CallKind::Callback)))
}
