//! What depends on which of some changes.

use fixedbitset::FixedBitSet;

use super::past::past_calls;
use super::{DependenceGraph, Edge, NodeId};

/// For each node the changes that it depends on, directly or through others.
pub struct Slices {
    sets: Vec<FixedBitSet>,
    /// Into each node, the nodes that it depends on directly; a call's result depends on its arguments.
    incoming: Adjacency<()>,
}

impl Slices {
    /// Of the changes of a graph. First up to callers, past calls by what their callees hand on; then down into callees.
    pub(super) fn new(graph: &DependenceGraph, changes: &[Vec<NodeId>]) -> Slices {
        let past = past_calls(graph);
        let (count, past) = (graph.nodes.len() + past.hubs, past.edges);
        let all = |is_wanted: &dyn Fn(Edge) -> bool| {
            let known = graph.edges.iter().filter(|(.., edge)| is_wanted(*edge)).map(|&(from, to, _)| (from, to));
            Adjacency::new(count, known.chain(past.iter().copied()).map(|(from, to)| (from, to, ())))
        };
        let mut sets = vec![FixedBitSet::with_capacity(changes.len()); count];
        let mut changed = Vec::new();
        for (change, nodes) in changes.iter().enumerate() {
            for &node in nodes {
                sets[node as usize].insert(change);
                changed.push(node);
            }
        }
        spread(&mut sets, changed, &all(&|edge| !matches!(edge, Edge::Into(_))));
        let every = (0..count as NodeId).filter(|&node| !sets[node as usize].is_clear()).collect();
        spread(&mut sets, every, &all(&|edge| !matches!(edge, Edge::OutOf(_))));
        let edges = graph.edges.iter().map(|&(from, to, _)| (from, to)).chain(past.iter().copied());
        let incoming = Adjacency::new(count, edges.map(|(from, to)| (to, from, ())));
        Slices { sets, incoming }
    }

    /// How many nodes there are: those of the graph, and more where several arguments of calls and several results come together.
    pub fn node_count(&self) -> usize {
        self.sets.len()
    }

    /// The changes that a node depends on.
    pub fn changes(&self, node: NodeId) -> &FixedBitSet {
        &self.sets[node as usize]
    }

    /// What a node depends on directly.
    pub fn direct(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.incoming.of(node).iter().map(|&(from, ())| from)
    }
}

/// Sets of nodes are added to those of the nodes behind them, until nothing changes.
fn spread(sets: &mut [FixedBitSet], mut waiting: Vec<NodeId>, edges: &Adjacency<()>) {
    let mut is_waiting = FixedBitSet::with_capacity(sets.len());
    waiting.iter().for_each(|&node| is_waiting.insert(node as usize));
    while let Some(node) = waiting.pop() {
        is_waiting.set(node as usize, false);
        let set = sets[node as usize].clone();
        for &(next, ()) in edges.of(node) {
            let known = &mut sets[next as usize];
            if !set.is_subset(known) {
                known.union_with(&set);
                if !is_waiting.put(next as usize) {
                    waiting.push(next);
                }
            }
        }
    }
}

/// Edges from each node, one beside the other.
pub(super) struct Adjacency<E> {
    starts: Vec<u32>,
    edges: Vec<(NodeId, E)>,
}

impl<E: Copy> Adjacency<E> {
    /// Edges between so many nodes.
    pub fn new(count: usize, edges: impl Iterator<Item = (NodeId, NodeId, E)>) -> Adjacency<E> {
        let mut all: Vec<(NodeId, NodeId, E)> = edges.collect();
        all.sort_by_key(|&(from, to, _)| (from, to));
        let mut starts = vec![0; count + 1];
        all.iter().for_each(|&(from, ..)| starts[from as usize + 1] += 1);
        (0..count).for_each(|node| starts[node + 1] += starts[node]);
        Adjacency { starts, edges: all.into_iter().map(|(_, to, edge)| (to, edge)).collect() }
    }

    /// Those of a node.
    pub fn of(&self, node: NodeId) -> &[(NodeId, E)] {
        &self.edges[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }
}
