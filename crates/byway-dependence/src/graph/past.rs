//! Edges past calls: from what goes into a function at a call to what comes out of it there and depends on it.

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use super::slice::Adjacency;
use super::{CallId, DependenceGraph, Edge, NodeId};

/// The search for these edges: backwards from what leads out of functions (Reps and others, 1994), for all of a function at once.
struct Search<'a> {
    graph: &'a DependenceGraph,
    /// Edges within functions, backwards.
    local: Adjacency<()>,
    /// Edges into functions, backwards, with their calls.
    into: Adjacency<CallId>,
    /// Of each function the nodes that lead out of it.
    leading: Vec<Vec<NodeId>>,
    /// Where these lead to at a call.
    results: FxHashMap<(NodeId, CallId), NodeId>,
    /// For each node which of the nodes that lead out of its function depend on it, by their position in `leading`.
    outs: Vec<FixedBitSet>,
    waiting: Vec<NodeId>,
    is_waiting: FixedBitSet,
    found: FxHashSet<(NodeId, NodeId)>,
    /// What was found, by where it leads.
    behind: FxHashMap<NodeId, Vec<NodeId>>,
}

/// All edges past calls of a graph.
pub fn edges_past_calls(graph: &DependenceGraph) -> FxHashSet<(NodeId, NodeId)> {
    let mut search = Search::new(graph);
    while let Some(node) = search.waiting.pop() {
        search.is_waiting.set(node as usize, false);
        search.look_at(node);
    }
    search.found
}

impl<'a> Search<'a> {
    fn new(graph: &'a DependenceGraph) -> Search<'a> {
        let count = graph.nodes.len();
        let local = graph.edges.iter().filter(|(.., edge)| *edge == Edge::Local);
        let into = graph.edges.iter().filter_map(|&(from, to, edge)| match edge {
            Edge::Into(call) => Some((to, from, call)),
            _ => None,
        });
        let mut leading = vec![Vec::new(); graph.first.len()];
        let (mut results, mut positions) = (FxHashMap::default(), FxHashMap::default());
        for &(from, to, edge) in &graph.edges {
            let Edge::OutOf(call) = edge else { continue };
            results.insert((from, call), to);
            let leading: &mut Vec<NodeId> = &mut leading[graph.nodes[from as usize].function as usize];
            positions.entry(from).or_insert_with(|| {
                leading.push(from);
                leading.len() - 1
            });
        }
        let room = |node: &super::Node| FixedBitSet::with_capacity(leading[node.function as usize].len());
        let mut search = Search {
            graph,
            local: Adjacency::new(count, local.map(|&(from, to, _)| (to, from, ()))),
            into: Adjacency::new(count, into),
            outs: graph.nodes.iter().map(room).collect(),
            leading,
            results,
            waiting: Vec::new(),
            is_waiting: FixedBitSet::with_capacity(count),
            found: FxHashSet::default(),
            behind: FxHashMap::default(),
        };
        for (&node, &position) in &positions {
            search.outs[node as usize].insert(position);
            search.wait(node);
        }
        search
    }

    fn wait(&mut self, node: NodeId) {
        if !self.is_waiting.put(node as usize) {
            self.waiting.push(node);
        }
    }

    /// What depends on a node depends on what is before it.
    fn look_at(&mut self, node: NodeId) {
        let outs = self.outs[node as usize].clone();
        for position in 0..self.local.of(node).len() {
            let (before, ()) = self.local.of(node)[position];
            self.add(before, &outs);
        }
        for before in self.behind.get(&node).cloned().unwrap_or_default() {
            self.add(before, &outs);
        }
        let function = self.graph.nodes[node as usize].function as usize;
        for position in 0..self.into.of(node).len() {
            let (argument, call) = self.into.of(node)[position];
            for out in outs.ones() {
                let Some(&result) = self.results.get(&(self.leading[function][out], call)) else { continue };
                if self.found.insert((argument, result)) {
                    self.behind.entry(result).or_default().push(argument);
                    let of_result = self.outs[result as usize].clone();
                    self.add(argument, &of_result);
                }
            }
        }
    }

    fn add(&mut self, node: NodeId, outs: &FixedBitSet) {
        if !outs.is_subset(&self.outs[node as usize]) {
            self.outs[node as usize].union_with(outs);
            self.wait(node);
        }
    }
}
