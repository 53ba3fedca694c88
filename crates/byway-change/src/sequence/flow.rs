//! Which nodes control can get to from a node before it meets another one.
//!
//! The program is cut at its nodes. What is left is a graph of points, whose strongly connected components are visited once, from the
//! last to the first. A call goes into its callees, and past them if one can return without meeting a node; what leaves the function
//! of a node goes on behind any call of that function.

use byway_dependence::{PointsTo, Statement, StatementId, Target, is_output};
use byway_map::{BlockId, Operation, ProgramInstructions, ProgramMap};
use fixedbitset::FixedBitSet;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use std::collections::{HashMap, HashSet};

use super::{Point, SequenceGraph, SequenceNodeId};

/// The number of a point: a place between two things that happen in a block.
type PointId = u32;

/// What happens behind a point.
#[derive(Debug, Clone)]
enum Next {
    /// A node is met.
    Node(SequenceNodeId),
    /// The program writes something; control goes on.
    Output,
    /// One of these functions is called; maybe none of them, or one after the other.
    Call { callees: Vec<u32>, may_pass: bool, may_repeat: bool },
    /// The block ends.
    Blocks(Vec<BlockId>),
    /// The function returns.
    Return,
    /// Control does not come back.
    Nothing,
}

/// The points of a program.
pub struct Flow<'a> {
    program: &'a ProgramInstructions,
    map: &'a ProgramMap,
    /// What happens behind each point; the next point of its block has the next number.
    points: Vec<Next>,
    /// The function of each point.
    functions: Vec<u32>,
    /// The first point of each block.
    blocks: Vec<PointId>,
    /// The points of each node, and where these are.
    nodes: Vec<Vec<(PointId, Point)>>,
    /// Whether control can get from a point to the end of its function without meeting a node.
    leaves: Vec<bool>,
    /// What control meets first from a point on, within the function and what it calls.
    meets: Vec<FixedBitSet>,
    /// The component of each point in `meets`.
    components: Vec<usize>,
    /// What it meets first behind calls of a function.
    behind: Vec<FixedBitSet>,
}

impl<'a> Flow<'a> {
    /// The points of a program whose nodes are these statements.
    pub fn new(
        (program, map): (&'a ProgramInstructions, &'a ProgramMap),
        points_to: &PointsTo,
        statements: &[Statement],
        nodes: &[Vec<StatementId>],
    ) -> Flow<'a> {
        let mut flow = Flow {
            program,
            map,
            points: Vec::new(),
            functions: Vec::new(),
            blocks: Vec::new(),
            nodes: vec![Vec::new(); nodes.len()],
            leaves: Vec::new(),
            meets: Vec::new(),
            components: Vec::new(),
            behind: Vec::new(),
        };
        flow.add_points(points_to, statements, &beginnings(map, statements, nodes));
        flow.find_leaving();
        flow.find_meetings(nodes.len());
        flow.find_behind(nodes.len());
        flow
    }

    /// Where each node is.
    pub fn points(&self) -> impl Iterator<Item = Vec<Point>> + '_ {
        self.nodes.iter().map(|points| points.iter().map(|(_, point)| *point).collect())
    }

    /// The nodes behind each node.
    pub fn next(&self) -> impl Iterator<Item = Vec<SequenceNodeId>> + '_ {
        let main = (0..).zip(&self.program.functions).find(|(_, function)| function.symbol == "main");
        let start = main.map(|(_, function)| self.blocks[function.first_block.index()]);
        (0..self.nodes.len()).map(move |node| {
            let mut next = FixedBitSet::with_capacity(self.nodes.len());
            if node == SequenceGraph::START {
                start.into_iter().for_each(|start| self.add_met(start, &mut next));
            }
            self.nodes[node].iter().for_each(|(point, _)| self.add_met(point + 1, &mut next));
            next.ones().collect()
        })
    }

    fn met(&self, point: PointId) -> &FixedBitSet {
        &self.meets[self.components[point as usize]]
    }

    fn add_met(&self, point: PointId, next: &mut FixedBitSet) {
        next.union_with(self.met(point));
        if self.leaves[point as usize] {
            next.union_with(&self.behind[self.functions[point as usize] as usize]);
        }
    }

    fn add_points(
        &mut self,
        points_to: &PointsTo,
        statements: &[Statement],
        beginnings: &HashMap<StatementId, Vec<SequenceNodeId>>,
    ) {
        let mut by_block: Vec<Vec<StatementId>> = vec![Vec::new(); self.map.blocks.len()];
        for (number, statement) in (0..).zip(statements) {
            by_block[statement.block.index()].push(StatementId(number));
        }
        for (function, described) in (0..).zip(&self.program.functions) {
            let is_main = described.symbol == "main";
            for offset in 0..described.blocks.len() as u32 {
                let block = BlockId::new(described.first_block.number() + offset);
                self.blocks.push(self.points.len() as PointId);
                let mut ends = Next::Blocks(self.map[block].successors.clone());
                for &id in &by_block[block.index()] {
                    let statement = &statements[id.0 as usize];
                    let point = Point { block, calls_before: statement.calls_before, order: id.0 };
                    for &node in beginnings.get(&id).into_iter().flatten() {
                        self.nodes[node].push((self.points.len() as PointId, point));
                        self.add(function, Next::Node(node));
                    }
                    let is_end = match described.instructions[statement.last() as usize].operation {
                        Operation::Call => self.add_call((function, statement.last()), points_to),
                        Operation::Return => {
                            ends = Next::Return;
                            is_main
                        }
                        Operation::Stop => {
                            ends = Next::Nothing;
                            false
                        }
                        _ => false,
                    };
                    if is_end {
                        self.add_output(function, point);
                    }
                }
                self.add(function, ends);
            }
        }
    }

    fn add(&mut self, function: u32, next: Next) {
        self.points.push(next);
        self.functions.push(function);
    }

    fn add_output(&mut self, function: u32, point: Point) {
        self.nodes[SequenceGraph::OUTPUT].push((self.points.len() as PointId, point));
        self.add(function, Next::Output);
    }

    /// A call. Whether something is written in it.
    fn add_call(&mut self, call: (u32, u32), points_to: &PointsTo) -> bool {
        let targets: Vec<Target> = points_to.targets(call).collect();
        let may_pass = targets.is_empty() || targets.iter().any(|target| !matches!(target, Target::Function(_)));
        let callees: Vec<u32> = points_to.callees(call).collect();
        let writes = |target: &Target| match target {
            Target::External(external) => is_output(&self.program.externals[*external as usize]),
            _ => false,
        };
        let is_output = targets.iter().any(writes);
        let may_repeat = points_to.callbacks(call).next().is_some();
        if !callees.is_empty() {
            self.add(call.0, Next::Call { callees, may_pass, may_repeat });
        }
        is_output
    }

    fn entry(&self, function: u32) -> PointId {
        self.blocks[self.program.functions[function as usize].first_block.index()]
    }

    /// From which points the end of the function can be reached. A call can be passed if a callee can be left.
    fn find_leaving(&mut self) {
        self.leaves = vec![false; self.points.len()];
        let mut before: Vec<Vec<PointId>> = vec![Vec::new(); self.points.len()];
        let mut calls: Vec<Vec<PointId>> = vec![Vec::new(); self.program.functions.len()];
        let mut waiting = Vec::new();
        for (point, next) in (0..).zip(&self.points) {
            match next {
                Next::Output => before[point as usize + 1].push(point),
                Next::Call { callees, may_pass, .. } => {
                    if *may_pass {
                        before[point as usize + 1].push(point);
                    }
                    callees.iter().for_each(|&callee| calls[callee as usize].push(point));
                }
                Next::Blocks(blocks) => {
                    blocks.iter().for_each(|block| before[self.blocks[block.index()] as usize].push(point));
                }
                Next::Return => waiting.push(point),
                Next::Node(_) | Next::Nothing => {}
            }
        }
        let entries: HashMap<PointId, u32> =
            (0..self.program.functions.len() as u32).map(|function| (self.entry(function), function)).collect();
        while let Some(point) = waiting.pop() {
            if std::mem::replace(&mut self.leaves[point as usize], true) {
                continue;
            }
            waiting.extend(&before[point as usize]);
            if let Some(&function) = entries.get(&point) {
                // Its calls can be passed now.
                for &call in &calls[function as usize] {
                    before[call as usize + 1].push(call);
                    if self.leaves[call as usize + 1] {
                        waiting.push(call);
                    }
                }
            }
        }
    }

    /// What control meets first from each point on: components behind come before those in front of them.
    fn find_meetings(&mut self, nodes: usize) {
        let mut graph: DiGraph<(), (), u32> = DiGraph::with_capacity(self.points.len(), 2 * self.points.len());
        for _ in &self.points {
            graph.add_node(());
        }
        let edge = |graph: &mut DiGraph<(), (), u32>, from: PointId, to: PointId| {
            graph.add_edge(from.into(), to.into(), ());
        };
        for (point, next) in (0..).zip(&self.points) {
            match next {
                Next::Output => edge(&mut graph, point, point + 1),
                Next::Call { callees, may_pass, .. } => {
                    callees.iter().for_each(|&callee| edge(&mut graph, point, self.entry(callee)));
                    if *may_pass || callees.iter().any(|&callee| self.leaves[self.entry(callee) as usize]) {
                        edge(&mut graph, point, point + 1);
                    }
                }
                Next::Blocks(blocks) => {
                    blocks.iter().for_each(|block| edge(&mut graph, point, self.blocks[block.index()]));
                }
                Next::Node(_) | Next::Return | Next::Nothing => {}
            }
        }
        self.components = vec![usize::MAX; self.points.len()];
        for (number, component) in kosaraju_scc(&graph).into_iter().enumerate() {
            component.iter().for_each(|point| self.components[point.index()] = number);
            let mut met = FixedBitSet::with_capacity(nodes);
            for point in component {
                match self.points[point.index()] {
                    Next::Node(node) => met.insert(node),
                    Next::Output => met.insert(SequenceGraph::OUTPUT),
                    _ => {}
                }
                for next in graph.neighbors(point).filter(|next| self.components[next.index()] != number) {
                    met.union_with(&self.meets[self.components[next.index()]]);
                }
            }
            self.meets.push(met);
        }
    }

    /// What control meets first when a function has returned to any of its callers.
    fn find_behind(&mut self, nodes: usize) {
        let mut behind = vec![FixedBitSet::with_capacity(nodes); self.program.functions.len()];
        let mut callers: Vec<HashSet<u32>> = vec![HashSet::new(); behind.len()];
        for (point, next) in (0..).zip(&self.points) {
            let Next::Call { callees, may_repeat, .. } = next else { continue };
            let after = if *may_repeat { point } else { point + 1 };
            for &callee in callees {
                behind[callee as usize].union_with(self.met(after));
                if self.leaves[after as usize] {
                    callers[callee as usize].insert(self.functions[point as usize]);
                }
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for function in 0..behind.len() {
                for &caller in &callers[function] {
                    let more = behind[caller as usize].clone();
                    if !more.is_subset(&behind[function]) {
                        behind[function].union_with(&more);
                        changed = true;
                    }
                }
            }
        }
        self.behind = behind;
    }
}

/// The statements with which nodes begin. A line that consists of several statements is executed once if they follow each other.
fn beginnings(
    map: &ProgramMap,
    statements: &[Statement],
    nodes: &[Vec<StatementId>],
) -> HashMap<StatementId, Vec<SequenceNodeId>> {
    let mut ends: HashMap<BlockId, (StatementId, StatementId)> = HashMap::new();
    for (number, statement) in (0..).zip(statements) {
        let id = StatementId(number);
        ends.entry(statement.block).and_modify(|(_, last)| *last = id).or_insert((id, id));
    }
    let mut before: HashMap<BlockId, Vec<BlockId>> = HashMap::new();
    for block in map.block_ids() {
        map[block].successors.iter().for_each(|&next| before.entry(next).or_default().push(block));
    }
    let mut beginnings: HashMap<StatementId, Vec<SequenceNodeId>> = HashMap::new();
    for (node, own) in nodes.iter().enumerate() {
        let all: HashSet<StatementId> = own.iter().copied().collect();
        let mut blocks = HashSet::new();
        for &id in own {
            let block = statements[id.0 as usize].block;
            // Only its first statement in a block counts.
            if !blocks.insert(block) {
                continue;
            }
            let is_first = ends[&block].0 == id;
            if !(is_first && continues(block, &before, &ends, &all)) {
                beginnings.entry(id).or_default().push(node);
            }
        }
    }
    beginnings
}

/// Whether all ways to a block come from one that ends with some statements.
fn continues(
    block: BlockId,
    before: &HashMap<BlockId, Vec<BlockId>>,
    ends: &HashMap<BlockId, (StatementId, StatementId)>,
    statements: &HashSet<StatementId>,
) -> bool {
    let mut waiting: Vec<BlockId> = before.get(&block).cloned().unwrap_or_default();
    if waiting.is_empty() {
        return false;
    }
    let mut seen: HashSet<BlockId> = waiting.iter().copied().collect();
    while let Some(previous) = waiting.pop() {
        match ends.get(&previous) {
            Some((_, last)) if statements.contains(last) => {}
            Some(_) => return false,
            // Nothing happens in it.
            None => match before.get(&previous) {
                Some(more) => waiting.extend(more.iter().filter(|block| seen.insert(**block))),
                None => return false,
            },
        }
    }
    true
}
