//! Which sequences of changes runs of the new version execute, and which targets a search has behind each node of the graph of these
//! sequences.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use byway_change::{SequenceGraph, SequenceKind, SequenceNode, SequenceNodeId};
use byway_engine::search::Stages;
use byway_engine::tree::PathPoint;
use byway_map::{BlockGraph, BlockId, CallKind, Distances, FlowEdge, ProgramMap};
use byway_report::diff::{ChangeGraph, ChangeGraphNode, ChangeNodeKind, SequenceStats};
use byway_trace::layout::MOST_POINTS;
use byway_trace::{EventKind, Trace};
use rustc_hash::FxHashMap;

/// A sequence that is reported has at most so many nodes.
const MOST_NODES: usize = 64;
/// Behind nodes whose targets were all reached come those from which control never went on to one of them; then all others.
const STEPS: u32 = 1001;
const ALL: u32 = 2 * STEPS;

/// A step of a sequence: from one node to the next.
type Step = (SequenceNodeId, SequenceNodeId);

/// The graph of a pair of versions, and what runs executed of it.
pub struct Sequences {
    graph: Arc<SequenceGraph>,
    /// The last node at each place that runs note, and all of them.
    places: FxHashMap<(u32, u32), Vec<SequenceNodeId>>,
    flow: BlockGraph<FlowEdge>,
    executed: Mutex<Executed>,
    version: AtomicU32,
}

/// What runs executed.
#[derive(Default)]
struct Executed {
    nodes: BTreeSet<SequenceNodeId>,
    steps: BTreeSet<Step>,
    /// Steps that the graph does not have.
    outside: u64,
    /// By how many inputs each sequence was executed; without repetitions.
    sequences: BTreeMap<Vec<SequenceNodeId>, u64>,
    /// Behind nodes, the targets that count and how far blocks are from them.
    distances: FxHashMap<SequenceNodeId, (Vec<SequenceNodeId>, Arc<Distances>)>,
}

impl Sequences {
    /// Nothing was executed yet.
    pub fn new(graph: &Arc<SequenceGraph>, map: &ProgramMap) -> Sequences {
        let mut places: FxHashMap<(u32, u32), Vec<SequenceNodeId>> = FxHashMap::default();
        for (number, node) in graph.nodes.iter().enumerate().filter(|(_, node)| is_noted(node)) {
            for point in &node.points {
                places.entry((point.block.number(), point.calls_before)).or_default().push(number);
            }
        }
        let executed = Executed { nodes: BTreeSet::from([SequenceGraph::START]), ..Executed::default() };
        Sequences {
            graph: Arc::clone(graph),
            places,
            flow: BlockGraph::control_flow(map),
            executed: Mutex::new(executed),
            version: AtomicU32::new(0),
        }
    }

    fn executed(&self) -> MutexGuard<'_, Executed> {
        self.executed.lock().expect("workers do not panic")
    }

    /// Learns what an input executes.
    pub fn learn(&self, trace: &Trace) {
        let all = self.of_trace(trace);
        let mut executed = self.executed();
        let before = (executed.nodes.len(), executed.steps.len());
        for step in all.windows(2).map(|pair| (pair[0], pair[1])) {
            if !self.graph.nodes[step.0].next.contains(&step.1) {
                executed.outside += 1;
            }
            executed.nodes.insert(step.1);
            executed.steps.insert(step);
        }
        let is_whole = trace.events().iter().filter(|event| is_point(event.kind)).count() < MOST_POINTS as usize;
        if let Some(&last) = all.last().filter(|_| is_whole) {
            executed.nodes.insert(SequenceGraph::OUTPUT);
            executed.steps.insert((last, SequenceGraph::OUTPUT));
        }
        *executed.sequences.entry(without_repetitions(&all)).or_default() += 1;
        if before != (executed.nodes.len(), executed.steps.len()) {
            self.version.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// The nodes that a run came by, from the beginning of the program on.
    fn of_trace(&self, trace: &Trace) -> Vec<SequenceNodeId> {
        let points = trace.events().iter().filter(|event| is_point(event.kind));
        let nodes = points.filter_map(|event| self.places.get(&(event.label, event.extra))).flatten().copied();
        std::iter::once(SequenceGraph::START).chain(nodes).collect()
    }

    /// The sequence of changed lines and interaction locations that a run came by, without repetitions.
    pub fn lines(&self, trace: &Trace) -> Vec<&SequenceNode> {
        let nodes = without_repetitions(&self.of_trace(trace));
        nodes.into_iter().skip(1).take(MOST_NODES).map(|node| &self.graph.nodes[node]).collect()
    }

    /// Whether a path comes by an interaction location.
    pub fn meets(&self, points: &[PathPoint]) -> bool {
        let mut nodes = points.iter().filter_map(|point| self.places.get(&(point.block, point.calls))).flatten();
        nodes.any(|&node| self.graph.nodes[node].kind == SequenceKind::Interaction)
    }

    /// What was executed of the graph.
    pub fn stats(&self) -> SequenceStats {
        let executed = self.executed();
        let in_graph = executed.steps.iter().filter(|(from, to)| self.graph.nodes[*from].next.contains(to));
        SequenceStats {
            changes: self.graph.size.changes as u64,
            interactions: self.graph.size.interactions as u64,
            steps: self.graph.size.edges as u64,
            steps_executed: in_graph.count() as u64,
            steps_outside: executed.outside,
            sequences_executed: executed.sequences.len() as u64,
            inputs: executed.sequences.values().sum(),
        }
    }

    /// The targets behind a node that count now, and their rank.
    fn targets(&self, executed: &Executed, node: SequenceNodeId) -> (u32, Vec<SequenceNodeId>) {
        let all = &self.graph.nodes[node].next;
        let share = |wanted: &[SequenceNodeId]| 1000 - (1000 * wanted.len() / all.len().max(1)) as u32;
        let unreached: Vec<_> = all.iter().copied().filter(|next| !executed.nodes.contains(next)).collect();
        if !unreached.is_empty() {
            return (share(&unreached), unreached);
        }
        let unexecuted: Vec<_> = all.iter().copied().filter(|&next| !executed.steps.contains(&(node, next))).collect();
        if !unexecuted.is_empty() {
            return (STEPS + share(&unexecuted), unexecuted);
        }
        (ALL, all.iter().copied().filter(|&next| next != SequenceGraph::OUTPUT).collect())
    }
}

impl Stages for Sequences {
    fn stage(&self, point: Option<(u32, u32)>) -> u32 {
        let last = point.and_then(|point| self.places.get(&point)?.last());
        last.map_or(SequenceGraph::START, |&node| node) as u32
    }

    fn urgency(&self, stage: u32, block: BlockId) -> Option<(u32, u32)> {
        let mut executed = self.executed();
        let (rank, wanted) = self.targets(&executed, stage as usize);
        let known = executed.distances.get(&(stage as usize)).filter(|(known, _)| *known == wanted);
        let distances = match known {
            Some((_, distances)) => Arc::clone(distances),
            None => {
                let blocks: BTreeSet<BlockId> = wanted.iter().flat_map(|&node| self.graph.blocks(node)).collect();
                let distances = Arc::new(self.flow.distances(blocks, weight));
                executed.distances.insert(stage as usize, (wanted, Arc::clone(&distances)));
                distances
            }
        };
        distances.of(block).map(|distance| (rank, distance))
    }

    fn version(&self) -> u32 {
        self.version.load(Ordering::Relaxed)
    }
}

/// The graph as it is shown. Nothing if there are no two changes in it.
pub fn shown(graph: &SequenceGraph) -> Option<ChangeGraph> {
    let node = |node: &SequenceNode| ChangeGraphNode {
        kind: match node.kind {
            SequenceKind::Start => ChangeNodeKind::Start,
            SequenceKind::Output => ChangeNodeKind::Output,
            SequenceKind::Change => ChangeNodeKind::Change,
            SequenceKind::Interaction => ChangeNodeKind::Interaction,
        },
        function: node.function.clone(),
        file: node.file.clone(),
        line: node.line,
        next: node.next.clone(),
    };
    (graph.size.changes > 1).then(|| ChangeGraph { nodes: graph.nodes.iter().map(node).collect() })
}

/// Whether runs note that they come by a node.
pub fn is_noted(node: &SequenceNode) -> bool {
    matches!(node.kind, SequenceKind::Change | SequenceKind::Interaction)
}

fn is_point(kind: u8) -> bool {
    EventKind::of(kind) == Some(EventKind::Point)
}

/// A step from block to block counts, and a call. Through a pointer every function of its type would be near.
fn weight(edge: &FlowEdge) -> Option<u32> {
    Some(match edge {
        FlowEdge::Past | FlowEdge::End => 0,
        FlowEdge::Call(CallKind::Indirect) | FlowEdge::Return(CallKind::Indirect) => 4,
        FlowEdge::Successor | FlowEdge::Call(_) | FlowEdge::Return(_) => 1,
    })
}

/// A sequence in which what repeats what was just before is left out: rounds of a loop count once.
fn without_repetitions(nodes: &[SequenceNodeId]) -> Vec<SequenceNodeId> {
    const LONGEST: usize = 8;
    let mut kept: Vec<SequenceNodeId> = Vec::new();
    for &node in nodes {
        kept.push(node);
        let repeated = (1..=LONGEST.min(kept.len() / 2)).find(|&length| {
            let (before, last) = kept[kept.len() - 2 * length..].split_at(length);
            before == last
        });
        repeated.into_iter().for_each(|length| kept.truncate(kept.len() - length));
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_of_a_loop_count_once() {
        assert_eq!(without_repetitions(&[0, 2, 3, 2, 3, 2, 3, 4, 4, 5]), [0, 2, 3, 4, 5]);
        assert_eq!(without_repetitions(&[0, 2, 3, 2, 4]), [0, 2, 3, 2, 4]);
    }
}
