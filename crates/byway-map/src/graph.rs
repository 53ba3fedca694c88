//! Graphs over the blocks of a whole program, and distances in them.

use std::collections::BTreeMap;

use petgraph::Direction;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;

use crate::id::{BlockId, FunctionId};
use crate::map::{Call, ProgramMap};

/// A node of a graph over a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GraphNode {
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
    /// The node of a block has the number of the block; others come behind.
    graph: DiGraph<GraphNode, E>,
    incoming: Incoming<E>,
    blocks: usize,
}

impl<E: Copy> Default for BlockGraph<E> {
    fn default() -> Self {
        BlockGraph::new(DiGraph::default(), 0)
    }
}

/// A graph with a node for each block and none of the edges.
pub(crate) fn of_blocks<E>(map: &ProgramMap) -> DiGraph<GraphNode, E> {
    let mut graph = DiGraph::with_capacity(2 * map.blocks.len() + map.functions.len(), 3 * map.blocks.len());
    for block in map.block_ids() {
        graph.add_node(GraphNode::Block(block));
    }
    graph
}

impl<E: Copy> BlockGraph<E> {
    /// The first nodes of `graph` are so many blocks.
    pub(crate) fn new(graph: DiGraph<GraphNode, E>, blocks: usize) -> Self {
        BlockGraph { incoming: Incoming::new(&graph), graph, blocks }
    }

    /// How many blocks there are.
    pub fn block_count(&self) -> usize {
        self.blocks
    }

    /// The graph itself.
    pub fn graph(&self) -> &DiGraph<GraphNode, E> {
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
        let mut waiting: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for target in targets.into_iter().filter(|target| target.index() < self.blocks) {
            distances[target.index()] = 0;
            waiting.entry(0).or_default().push(target.number());
        }
        while let Some((distance, nodes)) = waiting.pop_first() {
            for node in nodes {
                if distances[node as usize] < distance {
                    continue;
                }
                for (source, edge) in self.incoming.of(node) {
                    let Some(length) = weight(edge).and_then(|weight| distance.checked_add(weight)) else { continue };
                    let known = &mut distances[*source as usize];
                    if length < *known {
                        *known = length;
                        waiting.entry(length).or_default().push(*source);
                    }
                }
            }
        }
        distances.truncate(self.blocks);
        Distances(distances)
    }
}

/// The edges into each node, one beside the other: the lists of `petgraph` go all over memory, and take four times as long.
#[derive(Debug, Clone)]
struct Incoming<E> {
    /// Where those of each node begin; one more than there are nodes.
    starts: Vec<u32>,
    edges: Vec<(u32, E)>,
}

impl<E: Copy> Incoming<E> {
    fn new(graph: &DiGraph<GraphNode, E>) -> Self {
        let (mut starts, mut edges) = (vec![0], Vec::with_capacity(graph.edge_count()));
        for node in graph.node_indices() {
            let incoming = graph.edges_directed(node, Direction::Incoming);
            edges.extend(incoming.map(|edge| (edge.source().index() as u32, *edge.weight())));
            starts.push(edges.len() as u32);
        }
        Incoming { starts, edges }
    }

    fn of(&self, node: u32) -> &[(u32, E)] {
        &self.edges[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
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
