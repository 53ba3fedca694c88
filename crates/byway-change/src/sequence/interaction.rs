//! Where changes come together: unchanged statements that depend on several of them.
//!
//! Of these, most depend on one that depends on the same changes. Kept are those where changes meet for the first time: no unchanged
//! statement that they directly depend on depends on as many.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::PathBuf;

use byway_dependence::{DependenceGraph, NodeId, Slices, StatementId};
use byway_map::ProgramInstructions;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use super::{Marked, SequenceKind, SequenceNode};

/// The interaction locations of a program, by line.
pub struct Interactions {
    /// Those that are kept.
    pub lines: Vec<Marked>,
    /// How many there are in all.
    pub before: usize,
}

impl Interactions {
    /// Finds them.
    pub fn new(program: &ProgramInstructions, dependences: &DependenceGraph, changed: &[Marked]) -> Interactions {
        let seeds: Vec<Vec<NodeId>> = changed
            .iter()
            .map(|line| line.statements.iter().flat_map(|&statement| dependences.nodes_of(statement)).collect())
            .collect();
        if seeds.len() < 2 {
            return Interactions { lines: Vec::new(), before: 0 };
        }
        let is_changed: HashSet<StatementId> =
            changed.iter().flat_map(|line| line.statements.iter().copied()).collect();
        let slices = dependences.slices(&seeds);
        let statements = (0..dependences.statements().len() as u32).map(StatementId);
        let all: Vec<StatementId> = statements
            .filter(|statement| !is_changed.contains(statement))
            .filter(|&statement| slices.changes(dependences.node_of(statement)).count_ones(..) > 1)
            .collect();
        let first = firsts(dependences, &slices, &is_changed);
        let before = by_line(program, dependences, &all).len();
        let kept: Vec<StatementId> = all.into_iter().filter(|statement| first.contains(statement)).collect();
        let lines = by_line(program, dependences, &kept).into_iter().map(|((function, file, line), statements)| {
            let of_line = statements.iter().flat_map(|&statement| slices.changes(dependences.node_of(statement)).ones());
            let lines: BTreeSet<usize> = of_line.collect();
            let changes: BTreeSet<usize> =
                lines.into_iter().flat_map(|line| changed[line].node.changes.iter().copied()).collect();
            let node = SequenceNode {
                function: program.functions[function as usize].symbol.clone(),
                file,
                line,
                changes: changes.into_iter().collect(),
                ..SequenceNode::end(SequenceKind::Interaction)
            };
            Marked { node, statements }
        });
        Interactions { lines: lines.collect(), before }
    }
}

/// Statements by function, file and line.
fn by_line(
    program: &ProgramInstructions,
    dependences: &DependenceGraph,
    statements: &[StatementId],
) -> BTreeMap<(u32, PathBuf, u32), Vec<StatementId>> {
    let mut lines: BTreeMap<(u32, PathBuf, u32), Vec<StatementId>> = BTreeMap::new();
    for &id in statements {
        let statement = &dependences.statements()[id.0 as usize];
        if let Some((file, line, _)) = statement.position {
            let key = (statement.function, program.files[file.index()].clone(), line);
            lines.entry(key).or_default().push(id);
        }
    }
    lines
}

/// The unchanged statements with a node that depends on more changes than each unchanged statement that it directly depends on.
fn firsts(
    dependences: &DependenceGraph,
    slices: &Slices,
    is_changed: &HashSet<StatementId>,
) -> HashSet<StatementId> {
    let unchanged = |node: &NodeId| dependences.statement_of(*node).is_none_or(|statement| !is_changed.contains(&statement));
    let several: Vec<NodeId> = (0..dependences.size().0 as NodeId)
        .filter(|&node| slices.changes(node).count_ones(..) > 1)
        .filter(unchanged)
        .collect();
    let numbers: HashMap<NodeId, usize> = several.iter().copied().zip(0..).collect();
    // Edges between nodes that depend on the same changes.
    let mut graph: DiGraph<NodeId, ()> = DiGraph::new();
    several.iter().for_each(|&node| {
        graph.add_node(node);
    });
    for (number, &node) in several.iter().enumerate() {
        for from in slices.direct(node).filter(|&from| slices.changes(from) == slices.changes(node)) {
            if let Some(&from) = numbers.get(&from) {
                graph.add_edge(NodeIndex::new(from), NodeIndex::new(number), ());
            }
        }
    }
    let mut components = kosaraju_scc(&graph);
    components.reverse();
    let mut component_of = vec![0; several.len()];
    for (number, component) in components.iter().enumerate() {
        component.iter().for_each(|node| component_of[node.index()] = number);
    }
    // Whether a statement in front of the component, or in it, depends on the same changes.
    let mut is_behind = vec![false; components.len()];
    let mut has_statement = vec![false; components.len()];
    let mut found = HashSet::new();
    for (number, component) in components.iter().enumerate() {
        let incoming = component.iter().flat_map(|&node| graph.neighbors_directed(node, petgraph::Incoming));
        let before = incoming.map(|from| component_of[from.index()]).filter(|&from| from != number);
        is_behind[number] = before.into_iter().any(|from| is_behind[from] || has_statement[from]);
        let own = component.iter().filter_map(|&node| dependences.statement_of(graph[node]));
        has_statement[number] = own.clone().next().is_some();
        if is_behind[number] || !has_statement[number] {
            continue;
        }
        let comes_in = |node: &&NodeIndex| {
            let from_outside = |from: NodeId| numbers.get(&from).is_none_or(|&from| component_of[from] != number);
            slices.direct(graph[**node]).any(|from| from_outside(from) && !slices.changes(from).is_clear())
        };
        let entries = component.iter().filter(comes_in).filter_map(|&node| dependences.statement_of(graph[node]));
        let before = found.len();
        found.extend(entries);
        if found.len() == before {
            found.extend(own.min());
        }
    }
    found
}
