//! Ways past calls: from what goes into a function at a call to what comes out of it there and depends on it.
//!
//! Functions are looked at after those that they call (functions that call each other, until nothing changes). What goes into a
//! function is divided into classes: what all comes out of it is the same for the members of a class. A call has a hub for each class, so
//! that not every argument needs an edge to every result.

use fixedbitset::FixedBitSet;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;

use super::slice::Adjacency;
use super::{CallId, DependenceGraph, Edge, NodeId};

/// The ways past all calls.
pub struct PastCalls {
    /// How many hubs there are; their numbers come behind those of nodes.
    pub hubs: usize,
    /// Edges to hubs and from them.
    pub edges: Vec<(NodeId, NodeId)>,
}

/// What goes into a function and has the same way out.
struct Class {
    /// What goes in.
    ins: Vec<NodeId>,
    /// What comes out, by position in [`Search::leading`].
    outs: FixedBitSet,
}

struct Search<'a> {
    graph: &'a DependenceGraph,
    /// The nodes of each function.
    nodes: Vec<Vec<NodeId>>,
    /// Edges within functions.
    local: Adjacency<()>,
    /// At each call what goes in: the argument, and the node of the callee.
    into: Vec<Vec<(NodeId, NodeId)>>,
    /// Of each function the nodes that lead into it.
    entered: Vec<Vec<NodeId>>,
    /// The calls of each function.
    calls: Vec<Vec<CallId>>,
    /// Of each function the nodes that lead out of it.
    leading: Vec<Vec<NodeId>>,
    /// Where these lead to at a call.
    results: FxHashMap<(NodeId, CallId), NodeId>,
    /// Of each function what goes in, by where it comes out.
    classes: Vec<Vec<Class>>,
    /// The position of each node in its function.
    positions: Vec<u32>,
}

/// Finds the ways past calls.
pub fn past_calls(graph: &DependenceGraph) -> PastCalls {
    let mut search = Search::new(graph);
    for component in search.order() {
        loop {
            let mut has_changed = false;
            for &function in &component {
                has_changed |= search.look_at(function);
            }
            if component.len() == 1 && !search.calls_itself(component[0]) || !has_changed {
                break;
            }
        }
    }
    let mut past = PastCalls { hubs: 0, edges: Vec::new() };
    for function in 0..search.nodes.len() {
        search.for_each_hub(function, |arguments, results| {
            let hub = (graph.nodes.len() + past.hubs) as NodeId;
            past.hubs += 1;
            past.edges.extend(arguments.iter().map(|&argument| (argument, hub)));
            past.edges.extend(results.iter().map(|&result| (hub, result)));
        });
    }
    past
}

impl<'a> Search<'a> {
    fn new(graph: &'a DependenceGraph) -> Search<'a> {
        let (count, functions) = (graph.nodes.len(), graph.first.len());
        let local = graph.edges.iter().filter(|(.., edge)| *edge == Edge::Local);
        let mut search = Search {
            graph,
            nodes: vec![Vec::new(); functions],
            local: Adjacency::new(count, local.map(|&(from, to, _)| (from, to, ()))),
            into: vec![Vec::new(); graph.calls.len()],
            entered: vec![Vec::new(); functions],
            calls: vec![Vec::new(); functions],
            leading: vec![Vec::new(); functions],
            results: FxHashMap::default(),
            classes: (0..functions).map(|_| Vec::new()).collect(),
            positions: Vec::with_capacity(count),
        };
        for (number, node) in (0..).zip(&graph.nodes) {
            let nodes = &mut search.nodes[node.function as usize];
            search.positions.push(nodes.len() as u32);
            nodes.push(number);
        }
        for &(from, to, edge) in &graph.edges {
            let function = graph.nodes[from as usize].function as usize;
            match edge {
                Edge::Local => {}
                Edge::Into(call) => {
                    if search.into[call as usize].is_empty() {
                        search.calls[function].push(call);
                    }
                    search.into[call as usize].push((from, to));
                    search.entered[graph.nodes[to as usize].function as usize].push(to);
                }
                Edge::OutOf(call) => {
                    search.results.insert((from, call), to);
                    search.leading[function].push(from);
                }
            }
        }
        for nodes in search.leading.iter_mut().chain(&mut search.entered) {
            nodes.sort_unstable();
            nodes.dedup();
        }
        search
    }

    fn function_of(&self, node: NodeId) -> usize {
        self.graph.nodes[node as usize].function as usize
    }

    /// The functions in groups that call each other, those that are called first.
    fn order(&self) -> Vec<Vec<usize>> {
        let mut graph: DiGraph<(), ()> = DiGraph::new();
        for _ in &self.nodes {
            graph.add_node(());
        }
        for (caller, calls) in self.calls.iter().enumerate() {
            for &(_, callee) in calls.iter().flat_map(|&call| &self.into[call as usize]) {
                graph.update_edge(NodeIndex::new(caller), NodeIndex::new(self.function_of(callee)), ());
            }
        }
        let components = kosaraju_scc(&graph).into_iter();
        components.map(|component| component.into_iter().map(NodeIndex::index).collect()).collect()
    }

    fn calls_itself(&self, function: usize) -> bool {
        let into = self.calls[function].iter().flat_map(|&call| &self.into[call as usize]);
        into.into_iter().any(|&(_, callee)| self.function_of(callee) == function)
    }

    /// What goes into a call of a function and what comes out of it, for each class of a callee.
    fn for_each_hub(&self, function: usize, mut see: impl FnMut(&[NodeId], &[NodeId])) {
        for &call in &self.calls[function] {
            let mut by_callee: FxHashMap<usize, FxHashMap<NodeId, Vec<NodeId>>> = FxHashMap::default();
            for &(argument, into) in &self.into[call as usize] {
                let of_callee = by_callee.entry(self.function_of(into)).or_default();
                of_callee.entry(into).or_default().push(argument);
            }
            for (callee, arguments) in by_callee {
                for class in &self.classes[callee] {
                    let given: Vec<NodeId> =
                        class.ins.iter().filter_map(|into| arguments.get(into)).flatten().copied().collect();
                    let outs = class.outs.ones().map(|out| self.leading[callee][out]);
                    let results: Vec<NodeId> = outs.filter_map(|out| self.results.get(&(out, call)).copied()).collect();
                    if !given.is_empty() && !results.is_empty() {
                        see(&given, &results);
                    }
                }
            }
        }
    }

    /// Finds the classes of a function, as far as those that it calls are known. Whether they are others than before.
    fn look_at(&mut self, function: usize) -> bool {
        let (nodes, leading) = (&self.nodes[function], &self.leading[function]);
        let position = |node: NodeId| NodeIndex::new(self.positions[node as usize] as usize);
        let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(nodes.len(), 2 * nodes.len());
        for _ in nodes {
            graph.add_node(());
        }
        for &node in nodes {
            for &(next, ()) in self.local.of(node) {
                graph.add_edge(position(node), position(next), ());
            }
        }
        self.for_each_hub(function, |arguments, results| {
            let hub = graph.add_node(());
            for &argument in arguments {
                graph.add_edge(position(argument), hub, ());
            }
            for &result in results {
                graph.add_edge(hub, position(result), ());
            }
        });
        let mut own: Vec<Option<usize>> = vec![None; graph.node_count()];
        for (number, &node) in leading.iter().enumerate() {
            own[position(node).index()] = Some(number);
        }
        let (mut component_of, mut outs) = (vec![usize::MAX; graph.node_count()], Vec::<FixedBitSet>::new());
        for (number, component) in kosaraju_scc(&graph).into_iter().enumerate() {
            let mut set = FixedBitSet::with_capacity(leading.len());
            component.iter().for_each(|node| component_of[node.index()] = number);
            for node in component {
                own[node.index()].into_iter().for_each(|out| set.insert(out));
                for next in graph.neighbors(node).filter(|next| component_of[next.index()] != number) {
                    set.union_with(&outs[component_of[next.index()]]);
                }
            }
            outs.push(set);
        }
        let mut classes: FxHashMap<&FixedBitSet, Vec<NodeId>> = FxHashMap::default();
        for &node in &self.entered[function] {
            let set = &outs[component_of[position(node).index()]];
            if !set.is_clear() {
                classes.entry(set).or_default().push(node);
            }
        }
        let mut classes: Vec<Class> =
            classes.into_iter().map(|(outs, ins)| Class { ins, outs: outs.clone() }).collect();
        classes.sort_by_key(|class| class.ins[0]);
        let size = |classes: &[Class]| -> (usize, usize) {
            let outs = classes.iter().map(|class| class.ins.len() * class.outs.count_ones(..));
            (classes.len(), outs.sum())
        };
        let has_changed = size(&self.classes[function]) != size(&classes);
        self.classes[function] = classes;
        has_changed
    }
}
