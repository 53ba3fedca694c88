//! Traces without a run: for tests of what reads traces.

use crate::error::TraceError;
use crate::evaluate::{evaluate, load, recorded};
use crate::layout::{self, Event, Header, Loss, Node, Source, op};
use crate::memory::{Memory, TraceLimits};
use crate::operand::Operands;
use crate::trace::{Snapshot, Trace};

/// Makes a trace node by node. Labels and indices are returned as they are handed out. Values are computed, and nothing
/// is checked before the end.
#[derive(Debug)]
pub struct Builder {
    nodes: Vec<Node>,
    events: Vec<Event>,
    sources: Vec<Source>,
    losses: Vec<Loss>,
    texts: Vec<u8>,
    /// In words, since that is how they are aligned.
    snapshots: Vec<u64>,
    blocks: Vec<u8>,
}

impl Default for Builder {
    fn default() -> Self {
        let nodes = vec![bytemuck::Zeroable::zeroed()];
        let (events, sources, losses, snapshots, blocks) = Default::default();
        Builder { nodes, events, sources, losses, texts: vec![0], snapshots, blocks }
    }
}

impl Builder {
    /// An empty trace.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a source of input, see [`Source`].
    pub fn source(&mut self, kind: u32, index: u32, name: &str) -> u32 {
        let name = self.text(name);
        self.sources.push(Source { kind, index, name, bytes: 0 });
        self.sources.len() as u32 - 1
    }

    fn text(&mut self, text: &str) -> u32 {
        if text.is_empty() {
            return 0;
        }
        let offset = self.texts.len() as u32;
        self.texts.extend(text.bytes().chain([0]));
        offset
    }

    /// Adds a loss of precision.
    pub fn loss(&mut self, cause: u32, site: u32, function: &str, count: u64) {
        let name = self.text(function);
        self.losses.push(Loss { cause, site, name, reader: 0, count });
    }

    /// Adds input that a library read.
    pub fn unseen_input(&mut self, source: &str, reader: &str) {
        let (name, reader) = (self.text(source), self.text(reader));
        let (cause, site) = (crate::layout::cause::UNSEEN_INPUT, crate::layout::NO_SITE);
        self.losses.push(Loss { cause, site, name, reader, count: 1 });
    }

    /// Adds a byte of the input.
    pub fn input(&mut self, source: u32, offset: u64, value: u8) -> u32 {
        if let Some(source) = self.sources.get_mut(source as usize) {
            source.bytes += 1;
        }
        let node =
            Node { op: op::INPUT, width: 8, depth: 0, a: source, b: 0, c: 0, value: value.into(), constant: offset };
        self.push(node)
    }

    /// Adds a constant that is a node.
    pub fn constant(&mut self, width: u8, value: u128) -> u32 {
        let (value, constant) = (value as u64, (value >> 64) as u64);
        self.push(Node { op: op::CONST, width, depth: 0, a: 0, b: 0, c: 0, value, constant })
    }

    /// Adds any other node. Its operands must be there.
    pub fn node(&mut self, op: u8, width: u8, [a, b, c]: [u32; 3], constant: u64) -> u32 {
        let mut node = Node { op, width, depth: 0, a, b, c, value: 0, constant };
        let operands = Operands::of(&self.nodes, &node);
        let of = |label: u32| recorded(&self.nodes[label as usize]);
        let values = operands.all().map(|operand| match operand.label {
            0 => operand.constant.into(),
            label => of(label),
        });
        let value = match op {
            op::LOAD => match Snapshot::at(bytemuck::cast_slice(&self.snapshots), b) {
                Some(snapshot) => load(snapshot, values[0] as u64, usize::from(width / 8), of),
                None => 0,
            },
            _ => evaluate(&node, &operands, values),
        };
        let depth = operands.as_slice().iter().map(|operand| self.nodes[operand.label as usize].depth).max();
        node.depth = depth.unwrap_or(0).saturating_add(1);
        node.value = value as u64;
        if width > 64 {
            node.constant = (value >> 64) as u64;
        }
        self.push(node)
    }

    /// Adds a node as it is.
    pub fn push(&mut self, node: Node) -> u32 {
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    /// The value of a node.
    pub fn value(&self, label: u32) -> u128 {
        recorded(&self.nodes[label as usize])
    }

    /// The width of a node.
    pub fn width(&self, label: u32) -> u8 {
        self.nodes[label as usize].width
    }

    /// Adds a snapshot, with a label for each byte (see [`layout::BYTE_SHIFT`]) or none. What is returned is for `b` of
    /// [`op::LOAD`].
    pub fn snapshot(&mut self, base: u64, bytes: &[u8], labels: &[u32]) -> u32 {
        let offset = self.snapshots.len() as u32;
        let labelled = u32::from(!labels.is_empty());
        let header = layout::Snapshot { base, length: bytes.len() as u32, labelled };
        let mut data = bytemuck::bytes_of(&header).to_vec();
        data.extend_from_slice(bytes);
        data.resize(data.len().next_multiple_of(8), 0);
        data.extend_from_slice(bytemuck::cast_slice(labels));
        data.resize(data.len().next_multiple_of(8), 0);
        self.snapshots.extend(data.chunks_exact(8).map(bytemuck::pod_read_unaligned::<u64>));
        offset
    }

    /// Adds an event.
    pub fn event(&mut self, event: Event) -> u32 {
        self.events.push(event);
        self.events.len() as u32 - 1
    }

    /// Adds a branch on a node, in the direction that its value gives.
    pub fn branch(&mut self, site: u32, label: u32) -> u32 {
        let flag = self.value(label) as u8;
        let kind = layout::event::BRANCH;
        self.event(Event { kind, flag, detail: 0, site, label, extra: 0, a: 0, b: 0 })
    }

    /// Says which blocks of the program were executed, see [`Trace::blocks`].
    pub fn blocks(&mut self, blocks: &[u8]) {
        self.blocks = blocks.to_vec();
    }

    /// The trace, checked as that of a run is.
    pub fn finish(self) -> Result<Trace, TraceError> {
        let limits = TraceLimits {
            nodes: self.nodes.len() as u32,
            events: self.events.len() as u32,
            snapshots: self.snapshots.len() as u64 * 8,
            ..TraceLimits::default()
        };
        self.memory(limits)?.finish()
    }

    /// The memory as a run with these limits would have left it. The trace must fit.
    pub fn memory(&self, limits: TraceLimits) -> Result<Memory, TraceError> {
        let memory = Memory::create(limits, 0, self.blocks.len() as u32)?;
        self.write(&memory)?;
        Ok(memory)
    }

    fn write(&self, memory: &Memory) -> Result<(), TraceError> {
        let limits = memory.limits();
        let header = Header {
            nodes: self.nodes.len() as u32,
            events: self.events.len() as u32,
            snapshot_bytes: self.snapshots.len() as u64 * 8,
            sources: self.sources.len() as u32,
            losses: self.losses.len() as u32,
            text_bytes: self.texts.len() as u32,
            input_bytes: self.sources.iter().map(|source| source.bytes).sum(),
            ..memory.header(0)
        };
        memory.write(0, &[header])?;
        memory.write(layout::SOURCES, &self.sources)?;
        memory.write(layout::LOSSES, &self.losses)?;
        memory.write(layout::TEXTS, &self.texts)?;
        memory.write(layout::NODES, &self.nodes)?;
        memory.write(layout::events_offset(limits.nodes), &self.events)?;
        memory.write(layout::snapshots_offset(limits.nodes, limits.events), &self.snapshots)?;
        memory.write(layout::blocks_offset(limits.nodes, limits.events, limits.snapshots), &self.blocks)
    }
}
