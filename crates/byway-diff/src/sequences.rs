//! Which sequences of changes runs of the new version execute, and which targets a search has behind each node of the graph of these
//! sequences.

mod history;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard};

use byway_change::{SequenceGraph, SequenceKind, SequenceNode, SequenceNodeId};
use byway_engine::search::Stages;
use byway_engine::tree::PathPoint;
use byway_map::{BlockGraph, BlockId, CallKind, Distances, FlowEdge, ProgramMap};
use byway_report::diff::{ChangeGraph, ChangeGraphNode, ChangeNodeKind, ExecutedSequence, SequenceStats};
use byway_trace::layout::MOST_POINTS;
use byway_trace::{EventKind, Trace};
use rustc_hash::FxHashMap;

use crate::gather::Looked;

use history::{Histories, Stood, Walk};

/// A sequence that is reported has at most so many nodes.
const MOST_NODES: usize = 64;
/// So many sequences are told apart.
const MOST_SEQUENCES: usize = 4096;
/// So many of them are reported.
const MOST_REPORTED: usize = 500;
/// Behind targets that no run reached come steps that no run executed; then what runs executed seldom or never behind the same changes.
const STEPS: u32 = 1001;
const SEQUENCES: u32 = 2 * STEPS;

/// A step of a sequence: from one node to the next.
type Step = (SequenceNodeId, SequenceNodeId);

/// The graph of a pair of versions, and what runs executed of it.
pub struct Sequences {
    graph: Arc<SequenceGraph>,
    /// The last node at each place that runs note, and all of them.
    places: FxHashMap<(u32, u32), Vec<SequenceNodeId>>,
    flow: BlockGraph<FlowEdge>,
    executed: Mutex<Executed>,
}

/// What runs executed.
struct Executed {
    nodes: BTreeSet<SequenceNodeId>,
    steps: BTreeSet<Step>,
    /// Steps that the graph does not have.
    outside: u64,
    histories: Histories,
    /// The inputs that executed each sequence; without repetitions.
    sequences: BTreeMap<Vec<SequenceNodeId>, Inputs>,
    /// The inputs whose sequences were too many to be told apart.
    others: u64,
    /// How far blocks are from some nodes.
    distances: FxHashMap<Vec<SequenceNodeId>, Arc<Distances>>,
}

/// The inputs that executed a sequence.
#[derive(Debug, Default, Clone, Copy)]
struct Inputs {
    all: u64,
    /// Those on which the versions differ.
    differing: u64,
    /// Those on which the new version differs from the golden one as well.
    erroneous: u64,
}

impl Sequences {
    /// Nothing was executed yet.
    pub fn new(graph: &Arc<SequenceGraph>, map: &ProgramMap) -> Sequences {
        let nodes = graph.nodes.iter().enumerate().filter(|(_, node)| is_noted(node));
        let mut points: Vec<_> =
            nodes.flat_map(|(number, node)| node.points.iter().map(move |point| (point, number))).collect();
        points.sort_unstable();
        let mut places: FxHashMap<(u32, u32), Vec<SequenceNodeId>> = FxHashMap::default();
        for (point, number) in points {
            places.entry((point.block.number(), point.calls_before)).or_default().push(number);
        }
        let executed = Executed {
            nodes: BTreeSet::from([SequenceGraph::START]),
            steps: BTreeSet::new(),
            outside: 0,
            histories: Histories::new(graph),
            sequences: BTreeMap::new(),
            others: 0,
            distances: FxHashMap::default(),
        };
        Sequences {
            graph: Arc::clone(graph),
            places,
            flow: BlockGraph::control_flow(map),
            executed: Mutex::new(executed),
        }
    }

    fn executed(&self) -> MutexGuard<'_, Executed> {
        self.executed.lock().expect("workers do not panic")
    }

    /// Learns what an input executes, and what came of it; inputs that were only begun with are not counted. How many inputs executed the
    /// same sequence before.
    pub fn learn(&self, trace: &Trace, looked: Option<Looked>) -> u64 {
        let all = self.of_trace(trace);
        let is_whole = trace.events().iter().filter(|event| is_point(event.kind)).count() < MOST_POINTS as usize;
        let mut executed = self.executed();
        self.note(&mut executed, &all, is_whole);
        let sequence = without_repetitions(&all);
        if executed.sequences.len() >= MOST_SEQUENCES && !executed.sequences.contains_key(&sequence) {
            executed.others += 1;
            return 0;
        }
        let inputs = executed.sequences.entry(sequence).or_default();
        let Some(looked) = looked else { return inputs.all };
        inputs.all += 1;
        inputs.differing += u64::from(looked.differs);
        inputs.erroneous += u64::from(looked.is_error);
        inputs.all - 1
    }

    /// Notes the nodes that a run came by, and that it ended.
    fn note(&self, executed: &mut Executed, all: &[SequenceNodeId], is_whole: bool) {
        for step in all.windows(2).map(|pair| (pair[0], pair[1])) {
            if !self.graph.nodes[step.0].next.contains(&step.1) {
                executed.outside += 1;
            }
            executed.nodes.insert(step.1);
            executed.steps.insert(step);
        }
        if let Some(&last) = all.last().filter(|_| is_whole) {
            executed.nodes.insert(SequenceGraph::OUTPUT);
            executed.steps.insert((last, SequenceGraph::OUTPUT));
        }
        executed.histories.learn(&all[1..]);
    }

    /// The nodes at a place.
    fn at(&self, block: u32, calls: u32) -> impl Iterator<Item = SequenceNodeId> + '_ {
        self.places.get(&(block, calls)).into_iter().flatten().copied()
    }

    /// The nodes that a run came by, from the beginning of the program on.
    fn of_trace(&self, trace: &Trace) -> Vec<SequenceNodeId> {
        let points = trace.events().iter().filter(|event| is_point(event.kind));
        let nodes = points.flat_map(|event| self.at(event.label, event.extra));
        std::iter::once(SequenceGraph::START).chain(nodes).collect()
    }

    /// The sequence of changed lines and interaction locations that a run came by, without repetitions.
    pub fn lines(&self, trace: &Trace) -> Vec<&SequenceNode> {
        let nodes = without_repetitions(&self.of_trace(trace));
        nodes.into_iter().skip(1).take(MOST_NODES).map(|node| &self.graph.nodes[node]).collect()
    }

    /// The interaction locations that a path comes by, as positions in its points, each where it comes there last; the last ones first.
    pub fn meetings(&self, points: &[PathPoint]) -> Vec<usize> {
        let mut seen = BTreeSet::new();
        let locations = points.iter().enumerate().rev().flat_map(|(at, point)| {
            let nodes = self.at(point.block, point.calls);
            nodes.filter(|&node| self.graph.nodes[node].kind == SequenceKind::Interaction).map(move |node| (at, node))
        });
        locations.filter(|&(_, node)| seen.insert(node)).map(|(at, _)| at).collect()
    }

    /// What was executed of the graph.
    pub fn stats(&self) -> SequenceStats {
        let executed = self.executed();
        let in_graph = executed.steps.iter().filter(|(from, to)| self.graph.nodes[*from].next.contains(to));
        let mut all: Vec<(&Vec<SequenceNodeId>, &Inputs)> = executed.sequences.iter().collect();
        all.sort_by_key(|(nodes, inputs)| {
            (std::cmp::Reverse((inputs.erroneous, inputs.differing, inputs.all)), nodes.len())
        });
        let reported = all.iter().take(MOST_REPORTED).map(|(nodes, inputs)| ExecutedSequence {
            lines: nodes.iter().skip(1).take(MOST_NODES).map(|&node| self.line(node)).collect(),
            inputs: inputs.all,
            differing: inputs.differing,
            erroneous: inputs.erroneous,
        });
        SequenceStats {
            changes: self.graph.size.changes as u64,
            interactions: self.graph.size.interactions as u64,
            steps: self.graph.size.edges as u64,
            steps_executed: in_graph.count() as u64,
            steps_outside: executed.outside,
            sequences_executed: executed.sequences.len() as u64,
            inputs: executed.sequences.values().map(|inputs| inputs.all).sum::<u64>() + executed.others,
            executed: reported.collect(),
        }
    }

    /// A node as it is written: `+` for a change, `*` where several meet.
    fn line(&self, node: SequenceNodeId) -> String {
        let SequenceNode { kind, file, line, .. } = &self.graph.nodes[node];
        let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
        format!("{}{name}:{line}", if *kind == SequenceKind::Change { '+' } else { '*' })
    }

    /// The targets of a stage: nodes that no run reached, steps that no run executed, what no run did behind the same changes, and then
    /// what lies behind in the graph. Each with its rank; as runs go on, targets only become fewer and ranks only greater.
    fn targets(&self, executed: &Executed, stage: u32) -> [(u32, Vec<SequenceNodeId>); 4] {
        let Stood { node, runs, next } = executed.histories.stood(stage);
        let all = &self.graph.nodes[*node].next;
        let share = |wanted: &[SequenceNodeId]| 1000 - (1000 * wanted.len() / all.len().max(1)) as u32;
        let those = |is_wanted: &dyn Fn(SequenceNodeId) -> bool| -> Vec<SequenceNodeId> {
            all.iter().copied().filter(|&next| is_wanted(next)).collect()
        };
        let unreached = those(&|next| !executed.nodes.contains(&next));
        let unexecuted = those(&|next| !executed.steps.contains(&(*node, next)));
        let unfollowed = those(&|target| target != SequenceGraph::OUTPUT && !next.contains(&target));
        let others = those(&|target| target != SequenceGraph::OUTPUT);
        let seldom = SEQUENCES + 2 * (runs + 1).ilog2();
        [
            (share(&unreached), unreached),
            (STEPS + share(&unexecuted), unexecuted),
            (seldom, unfollowed),
            (seldom + 1, others),
        ]
    }

    /// How far blocks are from nodes.
    fn distances(&self, executed: &mut Executed, nodes: Vec<SequenceNodeId>) -> Arc<Distances> {
        let known = executed.distances.entry(nodes);
        Arc::clone(known.or_insert_with_key(|nodes| {
            let blocks: BTreeSet<BlockId> = nodes.iter().flat_map(|&node| self.graph.blocks(node)).collect();
            Arc::new(self.flow.distances(blocks, weight))
        }))
    }
}

impl Stages for Sequences {
    fn stages(&self, points: &[PathPoint]) -> Vec<u32> {
        let mut executed = self.executed();
        let of_points: Vec<Vec<SequenceNodeId>> =
            points.iter().map(|point| self.at(point.block, point.calls).collect()).collect();
        let behind_nodes = executed.histories.stages(of_points.iter().flatten().copied());
        // Several nodes may be at one place.
        let behind = of_points.iter().scan(0, |node, nodes| {
            *node += nodes.len();
            Some(behind_nodes[*node])
        });
        std::iter::once(behind_nodes[0]).chain(behind).collect()
    }

    fn urgency(&self, stage: u32, block: BlockId) -> Option<(u32, u32)> {
        let mut executed = self.executed();
        let targets = self.targets(&executed, stage);
        targets.into_iter().filter(|(_, wanted)| !wanted.is_empty()).find_map(|(rank, wanted)| {
            let distance = self.distances(&mut executed, wanted).of(block)?;
            Some((rank, distance))
        })
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
    let mut walk = Walk::default();
    nodes.iter().for_each(|&node| walk.push(node));
    walk.nodes().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two changes in a loop: each may follow the other, or itself.
    fn loop_of_two() -> Sequences {
        let node = |kind, line, next: &[SequenceNodeId]| SequenceNode {
            kind,
            function: String::new(),
            file: "file.c".into(),
            line,
            changes: Vec::new(),
            next: next.to_vec(),
            points: Vec::new(),
        };
        let graph = SequenceGraph {
            nodes: vec![
                node(SequenceKind::Start, 0, &[2, 3]),
                node(SequenceKind::Output, 0, &[]),
                node(SequenceKind::Change, 1, &[1, 2, 3]),
                node(SequenceKind::Change, 2, &[1, 2, 3]),
            ],
            without_node: Vec::new(),
            unknown_functions: Vec::new(),
            size: byway_change::GraphSize::default(),
        };
        Sequences::new(&Arc::new(graph), &ProgramMap::default())
    }

    impl Sequences {
        fn run(&self, nodes: &[SequenceNodeId]) {
            let all: Vec<_> = std::iter::once(SequenceGraph::START).chain(nodes.iter().copied()).collect();
            self.note(&mut self.executed(), &all, true);
        }

        /// The most urgent targets behind some nodes, with their rank.
        fn wanted(&self, nodes: &[SequenceNodeId]) -> (u32, Vec<SequenceNodeId>) {
            let mut executed = self.executed();
            let stage = *executed.histories.stages(nodes.iter().copied()).last().unwrap();
            self.targets(&executed, stage).into_iter().find(|(_, wanted)| !wanted.is_empty()).unwrap()
        }
    }

    #[test]
    fn first_come_targets_that_no_run_reached_then_steps_that_none_executed() {
        let sequences = loop_of_two();
        sequences.run(&[2]);
        assert_eq!(sequences.wanted(&[2]), (500 + 167, vec![3]), "one of three targets is unreached");
        sequences.run(&[3]);
        assert_eq!(sequences.wanted(&[2]).1, [2, 3], "nothing is unreached");
    }

    #[test]
    fn when_all_steps_were_executed_an_order_of_changes_comes_first_that_was_not() {
        let sequences = loop_of_two();
        for run in [[2, 2], [2, 3], [3, 2], [3, 3]] {
            sequences.run(&run);
        }
        sequences.run(&[2, 3, 2]);
        sequences.run(&[2, 3, 2]);
        let (often, seldom) = (sequences.wanted(&[2, 3]), sequences.wanted(&[3, 3]));
        assert_eq!(often.1, [3], "no run went on to the other change behind these two");
        assert_eq!(seldom.1, [2, 3]);
        assert!(SEQUENCES <= seldom.0 && seldom.0 < often.0, "{seldom:?} {often:?}");
        assert_eq!(sequences.wanted(&[2, 3, 2, 3]).1, [2, 3], "a history is more than its last step");
    }
}
