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
            let of_line =
                statements.iter().flat_map(|&statement| slices.changes(dependences.node_of(statement)).ones());
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

/// A statement, or a place where values come together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    Statement(StatementId),
    Place(NodeId),
}

/// The unchanged statements that depend on more changes than each unchanged statement that they directly depend on.
fn firsts(dependences: &DependenceGraph, slices: &Slices, is_changed: &HashSet<StatementId>) -> HashSet<StatementId> {
    let graph = meetings(dependences, slices, is_changed);
    let mut components = kosaraju_scc(&graph);
    components.reverse();
    let mut component_of = vec![0; graph.node_count()];
    for (number, component) in components.iter().enumerate() {
        component.iter().for_each(|node| component_of[node.index()] = number);
    }
    // Whether a statement in front of a component depends on the same changes.
    let mut is_behind = vec![false; components.len()];
    let mut has_statement = vec![false; components.len()];
    let mut found = HashSet::new();
    for (number, component) in components.iter().enumerate() {
        let comes_in = |node: NodeIndex| {
            graph.neighbors_directed(node, petgraph::Incoming).filter(|from| component_of[from.index()] != number)
        };
        let mut before = component.iter().flat_map(|&node| comes_in(node)).map(|from| component_of[from.index()]);
        is_behind[number] = before.any(|from| is_behind[from] || has_statement[from]);
        let own: BTreeSet<StatementId> = component.iter().filter_map(|&node| graph[node].0.statement()).collect();
        has_statement[number] = !own.is_empty();
        if is_behind[number] {
            continue;
        }
        // In a loop, those that something outside of it decides about.
        let is_entry = |node: &&NodeIndex| graph[**node].1 || comes_in(**node).next().is_some();
        let entries: Vec<StatementId> =
            component.iter().filter(is_entry).filter_map(|&node| graph[node].0.statement()).collect();
        match entries.is_empty() {
            true => found.extend(own.first()),
            false => found.extend(entries),
        }
    }
    found
}

/// Unchanged parts that depend on several changes, with edges between those that depend on the same; and for each whether it directly
/// depends on something that depends on fewer, or is changed.
fn meetings(
    dependences: &DependenceGraph,
    slices: &Slices,
    is_changed: &HashSet<StatementId>,
) -> DiGraph<(Part, bool), ()> {
    let part = |node: NodeId| dependences.statement_of(node).map_or(Part::Place(node), Part::Statement);
    let changes = |part: Part| match part {
        Part::Statement(statement) => slices.changes(dependences.node_of(statement)),
        Part::Place(node) => slices.changes(node),
    };
    let is_wanted = |part: Part| {
        changes(part).count_ones(..) > 1 && part.statement().is_none_or(|statement| !is_changed.contains(&statement))
    };
    let mut graph: DiGraph<(Part, bool), ()> = DiGraph::new();
    let mut nodes: HashMap<Part, NodeIndex> = HashMap::new();
    for node in 0..slices.node_count() as NodeId {
        let to = part(node);
        if !is_wanted(to) {
            continue;
        }
        let index = *nodes.entry(to).or_insert_with(|| graph.add_node((to, false)));
        for from in slices.direct(node).map(part).filter(|&from| from != to && !changes(from).is_clear()) {
            if is_wanted(from) && changes(from) == changes(to) {
                let from = *nodes.entry(from).or_insert_with(|| graph.add_node((from, false)));
                graph.update_edge(from, index, ());
            } else {
                graph[index].1 = true;
            }
        }
    }
    graph
}

impl Part {
    fn statement(self) -> Option<StatementId> {
        match self {
            Part::Statement(statement) => Some(statement),
            Part::Place(_) => None,
        }
    }
}
