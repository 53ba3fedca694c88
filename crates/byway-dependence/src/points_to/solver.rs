//! Solves inclusion constraints (Andersen): which locations each value may be.
//!
//! Values and parts of memory are nodes; an edge says that what one may be, the other may be too. What is loaded and stored, computed from
//! an address or called through one adds edges as locations become known. Nodes on a cycle of edges are one.
//!
//! Memory of an object is divided into sandboxes by the accesses to it: accesses that overlap have the same sandbox. What moves a
//! block of memory touches all sandboxes in it, and divides nothing.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use rustc_hash::{FxHashMap, FxHashSet};

use super::location::{Interner, Location, LocationId, ObjectId, Origin};
use super::set::Set;

/// The number of a node.
pub type NodeId = u32;
/// The number of a rule.
type RuleId = u32;

/// Of an object so many locations are told apart.
const MOST_LOCATIONS: u32 = 128;
/// The size of an object that nobody knows.
pub const UNKNOWN: u32 = u32::MAX / 2;

/// What follows for each location that a node may be.
#[derive(Debug, Clone)]
pub enum Rule {
    /// `to` may be what is in memory there, in so many bytes.
    Load { size: u32, to: NodeId },
    /// Memory there may be what `from` may be.
    Store { size: u32, from: NodeId },
    /// `to` may be what is in any sandbox of so many bytes at a distance from there.
    Take { offset: u32, size: u32, to: NodeId },
    /// Each sandbox of so many bytes at a distance from there may be what `from` may be.
    Give { offset: u32, size: u32, from: NodeId },
    /// `to` may be so far from there.
    Offset { bytes: i64, steps: Vec<(u64, Option<u64>)>, to: NodeId },
    /// `to` may be anywhere in the same object.
    Somewhere { to: NodeId },
    /// It is called: the number is the caller's.
    Call(u32),
    /// Libraries know it.
    Escape,
}

/// An object and the sandboxes of its memory.
#[derive(Debug)]
pub struct Object {
    /// What it is.
    pub origin: Origin,
    /// Its size, or [`UNKNOWN`].
    pub size: u32,
    /// Whether libraries know it.
    pub is_foreign: bool,
    /// Its sandboxes: the accesses of each, and its node.
    pub sandboxes: Vec<Cell>,
    /// Accesses to all sandboxes in some part, those that come later too.
    touches: Vec<Touch>,
    locations: u32,
}

impl Object {
    /// Whether anything can be read or written in it.
    fn has_memory(&self) -> bool {
        !matches!(self.origin, Origin::Function(_) | Origin::External(_))
    }
}

/// A part of the memory of an object.
#[derive(Debug, Clone)]
pub struct Cell {
    /// Where it is accessed, and in how many bytes.
    pub accesses: Vec<(Location, u32)>,
    /// What it may hold.
    pub node: NodeId,
}

impl Cell {
    /// Whether an access has a byte of it.
    pub fn overlaps(&self, location: Location, size: u32) -> bool {
        self.accesses.iter().any(|&(other, other_size)| location.overlaps(size, other, other_size))
    }
}

#[derive(Debug, Clone, Copy)]
struct Touch {
    location: Location,
    size: u32,
    node: NodeId,
    is_load: bool,
}

#[derive(Debug, Default)]
struct Node {
    locations: Set,
    /// Those that no edge and no rule knows yet.
    news: Vec<LocationId>,
    edges: Vec<NodeId>,
    rules: Vec<RuleId>,
    is_waiting: bool,
}

/// The constraints, and what is known of their solution.
#[derive(Debug, Default)]
pub struct Solver {
    pub objects: Vec<Object>,
    pub locations: Interner<Location>,
    by_origin: FxHashMap<Origin, ObjectId>,
    parents: Vec<NodeId>,
    nodes: Vec<Node>,
    known_edges: FxHashSet<(NodeId, NodeId)>,
    rules: Vec<Rule>,
    waiting: std::collections::VecDeque<NodeId>,
    /// What was called, and where it is.
    pub called: Vec<(u32, LocationId)>,
    /// So many edges were there when cycles were looked for.
    looked_at: usize,
    /// The node of what libraries know.
    pub foreign: NodeId,
}

impl Solver {
    /// A new node.
    pub fn node(&mut self) -> NodeId {
        let id = self.nodes.len() as NodeId;
        self.nodes.push(Node::default());
        self.parents.push(id);
        id
    }

    /// The node that stands for a node.
    pub fn find(&self, mut node: NodeId) -> NodeId {
        while self.parents[node as usize] != node {
            node = self.parents[node as usize];
        }
        node
    }

    /// The locations that a node may be.
    pub fn locations_of(&self, node: NodeId) -> &[LocationId] {
        self.nodes[self.find(node) as usize].locations.members()
    }

    /// The object of some origin. The size counts if it is new.
    pub fn object(&mut self, origin: Origin, size: u32) -> ObjectId {
        let next = self.objects.len() as ObjectId;
        let id = *self.by_origin.entry(origin).or_insert(next);
        if id == next {
            let size = size.min(UNKNOWN);
            let (sandboxes, touches) = (Vec::new(), Vec::new());
            self.objects.push(Object { origin, size, is_foreign: false, sandboxes, touches, locations: 0 });
        }
        id
    }

    /// The object of some origin, if there is one.
    pub fn known_object(&self, origin: Origin) -> Option<ObjectId> {
        self.by_origin.get(&origin).copied()
    }

    /// The number of a location. An object with very many has only one more: any.
    pub fn location(&mut self, location: Location) -> LocationId {
        let object = &self.objects[location.object as usize];
        let location = match object.locations < MOST_LOCATIONS {
            // Nobody knows what is where in libraries.
            true if object.origin == Origin::Foreign => Location::anywhere(location.object, object.size),
            true => location,
            false if location.low == 0 && location.stride == 0 => location,
            false => Location::anywhere(location.object, object.size),
        };
        let (id, is_new) = self.locations.id(location);
        if is_new {
            self.objects[location.object as usize].locations += 1;
        }
        id
    }

    /// A node may be locations.
    pub fn add(&mut self, node: NodeId, locations: &[LocationId]) {
        let id = self.find(node);
        let node = &mut self.nodes[id as usize];
        let new = node.locations.add(locations);
        if new.is_empty() {
            return;
        }
        node.news.extend(new);
        if !std::mem::replace(&mut node.is_waiting, true) {
            self.waiting.push_back(id);
        }
    }

    /// What a node may be, another may be.
    pub fn edge(&mut self, from: NodeId, to: NodeId) {
        let (from, to) = (self.find(from), self.find(to));
        if from != to && self.known_edges.insert((from, to)) {
            self.nodes[from as usize].edges.push(to);
            let locations = self.nodes[from as usize].locations.members().to_vec();
            self.add(to, &locations);
        }
    }

    /// Something follows from what a node may be.
    pub fn rule(&mut self, node: NodeId, rule: Rule) {
        let node = self.find(node);
        let id = self.rules.len() as RuleId;
        self.rules.push(rule.clone());
        self.nodes[node as usize].rules.push(id);
        let known = self.nodes[node as usize].locations.members().to_vec();
        self.apply(&rule, &known);
    }

    /// Solves what is there. What was called on the way is in [`Solver::called`]: it may add constraints.
    pub fn solve(&mut self) {
        while let Some(id) = self.waiting.pop_front() {
            if self.known_edges.len() > 2 * self.looked_at + 1000 {
                self.looked_at = self.known_edges.len();
                self.unite_cycles();
            }
            let id = self.find(id);
            let node = &mut self.nodes[id as usize];
            node.is_waiting = false;
            let mut news = std::mem::take(&mut node.news);
            news.sort_unstable();
            news.dedup();
            if news.is_empty() {
                continue;
            }
            for rule in node.rules.clone() {
                let rule = self.rules[rule as usize].clone();
                self.apply(&rule, &news);
            }
            let id = self.find(id);
            for to in self.nodes[id as usize].edges.clone() {
                if self.find(to) != id {
                    self.add(to, &news);
                }
            }
        }
    }

    fn apply(&mut self, rule: &Rule, news: &[LocationId]) {
        for &id in news {
            let location = self.locations.get(id);
            let size_of_object = self.objects[location.object as usize].size;
            match *rule {
                Rule::Load { size, to } => {
                    if let Some(sandbox) = self.sandbox(location, size) {
                        self.edge(sandbox, to);
                    }
                }
                Rule::Store { size, from } => {
                    if let Some(sandbox) = self.sandbox(location, size) {
                        self.edge(from, sandbox);
                    }
                }
                Rule::Take { offset, size, to } => self.touch(location, (offset, size), to, true),
                Rule::Give { offset, size, from } => self.touch(location, (offset, size), from, false),
                Rule::Offset { bytes, ref steps, to } => {
                    if let Some(moved) = location.behind(bytes, size_of_object) {
                        let step = |at: Location, &(stride, count): &(u64, Option<u64>)| {
                            at.stepped(stride, count, size_of_object)
                        };
                        let moved = self.location(steps.iter().fold(moved, step));
                        self.add(to, &[moved]);
                    }
                }
                Rule::Somewhere { to } => {
                    let anywhere = self.location(Location::anywhere(location.object, size_of_object));
                    self.add(to, &[anywhere]);
                }
                Rule::Call(number) => self.called.push((number, id)),
                Rule::Escape => self.escape(location.object),
            }
        }
    }

    /// The node of the memory at a location. Functions have none.
    pub fn sandbox(&mut self, location: Location, size: u32) -> Option<NodeId> {
        let object = &self.objects[location.object as usize];
        if !object.has_memory() {
            return None;
        }
        let overlapping: Vec<usize> =
            (0..object.sandboxes.len()).filter(|&sandbox| object.sandboxes[sandbox].overlaps(location, size)).collect();
        let is_known = |sandbox: usize| object.sandboxes[sandbox].accesses.contains(&(location, size));
        if let [only] = overlapping[..]
            && is_known(only)
        {
            return Some(object.sandboxes[only].node);
        }
        let touching = |touch: &&Touch| touch.location.overlaps(touch.size, location, size);
        let touches: Vec<Touch> = object.touches.iter().filter(touching).copied().collect();
        let node = match overlapping.first() {
            Some(&first) => self.extend_cell(location, size, first, &overlapping[1..]),
            None => {
                let node = self.node();
                self.objects[location.object as usize].sandboxes.push(Cell { accesses: vec![(location, size)], node });
                node
            }
        };
        touches.into_iter().for_each(|touch| self.connect(touch, node));
        Some(node)
    }

    /// An access reaches a sandbox of an object, and maybe others, which are one with it from now on.
    fn extend_cell(&mut self, location: Location, size: u32, first: usize, others: &[usize]) -> NodeId {
        let sandboxes = &mut self.objects[location.object as usize].sandboxes;
        let gone: Vec<Cell> = others.iter().rev().map(|&other| sandboxes.swap_remove(other)).collect();
        let kept = &mut sandboxes[first];
        for access in gone.iter().flat_map(|sandbox| &sandbox.accesses).chain(&[(location, size)]) {
            if !kept.accesses.contains(access) {
                kept.accesses.push(*access);
            }
        }
        let node = kept.node;
        gone.into_iter().for_each(|sandbox| self.unite(node, sandbox.node));
        node
    }

    fn connect(&mut self, touch: Touch, sandbox: NodeId) {
        match touch.is_load {
            true => self.edge(sandbox, touch.node),
            false => self.edge(touch.node, sandbox),
        }
    }

    /// All sandboxes of a part of an object, those that there are and those that there will be.
    fn touch(&mut self, location: Location, (offset, size): (u32, u32), node: NodeId, is_load: bool) {
        let object = &self.objects[location.object as usize];
        let Some(location) = location.behind(offset.into(), object.size).filter(|_| object.has_memory()) else {
            return;
        };
        let touch = Touch { location, size, node, is_load };
        let is_known =
            |known: &Touch| (known.location, known.size, known.node, known.is_load) == (location, size, node, is_load);
        if object.touches.iter().any(is_known) {
            return;
        }
        let sandboxes: Vec<NodeId> = object
            .sandboxes
            .iter()
            .filter(|sandbox| sandbox.overlaps(location, size))
            .map(|sandbox| sandbox.node)
            .collect();
        self.objects[location.object as usize].touches.push(touch);
        sandboxes.into_iter().for_each(|sandbox| self.connect(touch, sandbox));
    }

    /// Libraries know an object: they read and write all of it.
    fn escape(&mut self, object: ObjectId) {
        if std::mem::replace(&mut self.objects[object as usize].is_foreign, true) {
            return;
        }
        let (whole, foreign) = (Location::start(object), self.foreign);
        self.touch(whole, (0, UNKNOWN), foreign, true);
        self.touch(whole, (0, UNKNOWN), foreign, false);
    }

    /// Memory that is only moved as a part of blocks gets a sandbox, so that what is in it is not lost. Whether there was any.
    pub fn fill_gaps(&mut self) -> bool {
        let mut gaps = Vec::new();
        for object in &self.objects {
            let is_bare = |touch: &&Touch| {
                touch.node != self.foreign
                    && !object.sandboxes.iter().any(|sandbox| sandbox.overlaps(touch.location, touch.size))
            };
            gaps.extend(object.touches.iter().filter(is_bare).map(|touch| (touch.location, touch.size)));
        }
        for &(location, size) in &gaps {
            self.sandbox(location, size);
        }
        !gaps.is_empty()
    }

    /// Two nodes are one from now on.
    fn unite(&mut self, a: NodeId, b: NodeId) {
        let (kept, gone) = (self.find(a), self.find(b));
        if kept == gone {
            return;
        }
        self.parents[gone as usize] = kept;
        let Node { locations, edges, rules, .. } = std::mem::take(&mut self.nodes[gone as usize]);
        // What each of them knows is new for the edges and rules of the other.
        let own = self.nodes[kept as usize].locations.members().to_vec();
        let node = &mut self.nodes[kept as usize];
        node.edges.extend(edges);
        node.rules.extend(rules);
        node.locations.add(locations.members());
        node.news = node.locations.members().to_vec();
        if !own.is_empty() || !node.news.is_empty() {
            node.is_waiting = true;
            self.waiting.push_back(kept);
        }
    }

    fn unite_cycles(&mut self) {
        let mut graph: DiGraph<(), (), u32> = DiGraph::with_capacity(self.nodes.len(), self.known_edges.len());
        for _ in &self.nodes {
            graph.add_node(());
        }
        for (from, node) in self.nodes.iter().enumerate() {
            for &to in &node.edges {
                graph.add_edge((from as u32).into(), self.find(to).into(), ());
            }
        }
        for component in kosaraju_scc(&graph).into_iter().filter(|component| component.len() > 1) {
            let first = component[0].index() as NodeId;
            component[1..].iter().for_each(|node| self.unite(first, node.index() as NodeId));
        }
        for id in 0..self.nodes.len() {
            let mut edges = std::mem::take(&mut self.nodes[id].edges);
            edges.iter_mut().for_each(|edge| *edge = self.find(*edge));
            edges.sort_unstable();
            edges.dedup();
            edges.retain(|&edge| edge as usize != id);
            self.nodes[id].edges = edges;
        }
    }
}
