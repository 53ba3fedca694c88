//! The memory that a run and its observer share, as the observer sees it.
//!
//! A run may leave somebody behind who still writes to it. So the observer never looks into the memory itself: it reads
//! each part once ([`Content`]), with the kernel's copy, and checks and uses what it has read.

use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::sync::{Arc, Mutex, PoisonError};

use bytemuck::{Pod, Zeroable};
use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, ftruncate, memfd_create};

use crate::error::{Place, TraceError};
use crate::layout::{self, Event, Header, Loss, Node, Source};
use crate::trace::Trace;

/// How much a trace may hold. What does not fit is lost, and counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceLimits {
    /// Nodes; at most [`layout::MAX_NODES`].
    pub nodes: u32,
    /// Events.
    pub events: u32,
    /// The depth of an expression.
    pub depth: u32,
    /// The bytes of an object that can change and is read through a symbolic address.
    pub object: u32,
    /// The symbolic bytes of all inputs.
    pub input: u32,
    /// The bytes of all snapshots.
    pub snapshots: u64,
}

impl Default for TraceLimits {
    fn default() -> Self {
        TraceLimits {
            nodes: 1 << 24,
            events: 1 << 23,
            depth: 1000,
            object: 8192,
            input: 16 << 20,
            snapshots: 256 << 20,
        }
    }
}

impl TraceLimits {
    fn total_size(&self, blocks: u32) -> usize {
        layout::total_size(self.nodes, self.events, self.snapshots, blocks)
    }
}

/// Memory for the runs of one program. What a run has left is read and then used again: most runs are short, and memory that
/// is there already is cheaper than new memory.
#[derive(Debug)]
pub struct Memories {
    blocks: u32,
    shelf: Shelf,
}

/// Memory that waits for the next run.
type Shelf = Arc<Mutex<Vec<Area>>>;

/// So much memory waits at most.
const WAITING: usize = 4;
/// Memory of which a run has used more than this many bytes goes back to the system.
const LARGE: usize = 16 << 20;

impl Memories {
    /// For a program with so many blocks.
    pub fn new(blocks: u32) -> Memories {
        Memories { blocks, shelf: Shelf::default() }
    }

    /// Memory for a run. `symbolic` says which input is symbolic, an or of [`layout::ARGUMENTS`] and its neighbours.
    pub fn take(&self, limits: TraceLimits, symbolic: u32) -> Result<Memory, TraceError> {
        let mut shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
        shelf.retain(|area| area.limits == limits);
        let waiting = shelf.pop();
        drop(shelf);
        let area = match waiting {
            Some(area) => {
                area.clear()?;
                area
            }
            None => Area::create(limits, self.blocks)?,
        };
        Memory::new(area, Some(self.shelf.clone()), symbolic)
    }
}

/// Memory for the trace of one run. It takes only as much of the machine's as the run writes.
#[derive(Debug)]
pub struct Memory {
    area: Area,
    /// Where it goes when it was read.
    shelf: Option<Shelf>,
}

impl Memory {
    /// Makes memory for one run of a program with so many blocks; see [`Memories::take`].
    pub fn create(limits: TraceLimits, symbolic: u32, blocks: u32) -> Result<Memory, TraceError> {
        Memory::new(Area::create(limits, blocks)?, None, symbolic)
    }

    fn new(area: Area, shelf: Option<Shelf>, symbolic: u32) -> Result<Memory, TraceError> {
        let memory = Memory { area, shelf };
        memory.write(0, &[memory.header(symbolic)])?;
        Ok(memory)
    }

    /// What the memory begins with before a run.
    pub(crate) fn header(&self, symbolic: u32) -> Header {
        let limits = self.limits();
        Header {
            magic: layout::MAGIC,
            symbolic,
            node_limit: limits.nodes,
            event_limit: limits.events,
            depth_limit: limits.depth,
            object_limit: limits.object,
            input_limit: limits.input,
            snapshot_limit: limits.snapshots,
            blocks: self.area.blocks,
            ..Zeroable::zeroed()
        }
    }

    /// Writes to the memory as a run does.
    pub(crate) fn write<T: Pod>(&self, offset: usize, items: &[T]) -> Result<(), TraceError> {
        self.area.write(offset, bytemuck::cast_slice(items))
    }

    /// The limits it was made for.
    pub fn limits(&self) -> TraceLimits {
        self.area.limits
    }

    /// The file, to be handed to the run.
    pub fn file(&self) -> &File {
        &self.area.file
    }

    /// What the run left. To be called when the run has ended.
    pub fn finish(self) -> Result<Trace, TraceError> {
        let content = Content::read(&self.area)?;
        if let Some(shelf) = &self.shelf {
            let mut shelf = shelf.lock().unwrap_or_else(PoisonError::into_inner);
            if shelf.len() < WAITING && content.is_memory_reusable() {
                shelf.push(self.area);
            }
        }
        Trace::new(content)
    }
}

/// A file in memory.
#[derive(Debug)]
struct Area {
    file: File,
    limits: TraceLimits,
    blocks: u32,
}

impl Area {
    fn create(limits: TraceLimits, blocks: u32) -> Result<Area, TraceError> {
        let failed = |what| move |source: rustix::io::Errno| TraceError::Memory { what, source: source.into() };
        let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
        let size = limits.total_size(blocks);
        let file = memfd_create("byway-trace", flags).map_err(failed("create"))?;
        ftruncate(&file, size as u64).map_err(failed("size"))?;
        // A program that cuts the file short would end the next run with a signal.
        fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW).map_err(failed("seal"))?;
        Ok(Area { file: file.into(), limits, blocks })
    }

    fn blocks_offset(&self) -> usize {
        layout::blocks_offset(self.limits.nodes, self.limits.events, self.limits.snapshots)
    }

    /// Makes it as good as new: what is counted in the header counts from 0, only blocks are looked at without a count.
    fn clear(&self) -> Result<(), TraceError> {
        self.write(self.blocks_offset(), &vec![0; self.blocks as usize])?;
        // The empty text.
        self.write(layout::TEXTS, &[0])
    }

    fn write(&self, offset: usize, bytes: &[u8]) -> Result<(), TraceError> {
        let written = self.file.write_all_at(bytes, offset as u64);
        written.map_err(|source| TraceError::Memory { what: "write", source })
    }

    /// Reads `count` items from `offset` on.
    fn part<T: Pod>(&self, offset: usize, count: usize) -> Result<Vec<T>, TraceError> {
        let mut items = vec![T::zeroed(); count];
        let read = self.file.read_exact_at(bytemuck::cast_slice_mut(&mut items), offset as u64);
        read.map_err(|source| TraceError::Memory { what: "read", source })?;
        Ok(items)
    }

    /// How many bytes of it there are: what nobody has written takes none.
    fn present(&self) -> Result<u64, TraceError> {
        let failed = |source: io::Error| TraceError::Memory { what: "read", source };
        // In units of 512 bytes, whatever the file system's blocks are.
        Ok(self.file.metadata().map_err(failed)?.blocks() * 512)
    }
}

/// What a run left in the memory, as it was when it was read.
#[derive(Debug)]
pub(crate) struct Content {
    /// The limits that say where the parts are. They are ours; those in the header may have been overwritten.
    pub limits: TraceLimits,
    pub header: Header,
    pub sources: Vec<Source>,
    pub losses: Vec<Loss>,
    pub texts: Vec<u8>,
    /// Behind the last zero byte of the texts.
    texts_end: usize,
    /// Indexed by label. The first is not a node.
    pub nodes: Vec<Node>,
    pub events: Vec<Event>,
    /// In words, since that is how they are aligned.
    snapshots: Vec<u64>,
    pub blocks: Vec<u8>,
}

impl Content {
    /// Reads as much as the header counts, if that fits and is there.
    fn read(area: &Area) -> Result<Content, TraceError> {
        let limits = area.limits;
        let header: Header = area.part(0, 1)?[0];
        check_header(area, &header)?;
        let events = layout::events_offset(limits.nodes);
        let snapshots = layout::snapshots_offset(limits.nodes, limits.events);
        let mut nodes: Vec<Node> = area.part(layout::NODES, header.nodes as usize)?;
        // What the label of constants stands for, whatever is there.
        nodes.iter_mut().take(1).for_each(|none| *none = Node::zeroed());
        let texts: Vec<u8> = area.part(layout::TEXTS, header.text_bytes as usize)?;
        Ok(Content {
            limits,
            texts_end: texts.iter().rposition(|&byte| byte == 0).map_or(0, |last| last + 1),
            sources: area.part(layout::SOURCES, header.sources as usize)?,
            losses: area.part(layout::LOSSES, header.losses as usize)?,
            texts,
            nodes,
            events: area.part(events, header.events as usize)?,
            snapshots: area.part(snapshots, header.snapshot_bytes.div_ceil(8) as usize)?,
            blocks: area.part(area.blocks_offset(), area.blocks as usize)?,
            header,
        })
    }

    pub fn snapshots(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.snapshots)[..self.header.snapshot_bytes as usize]
    }

    /// Where the last text ends: those that begin before end there, too.
    pub fn texts_end(&self) -> usize {
        self.texts_end
    }

    /// Whether the memory can be used again: no child of the run may write to it any more, and it is not too large to keep.
    fn is_memory_reusable(&self) -> bool {
        self.header.children == 0 && used(&self.header) < LARGE as u64
    }
}

/// The bytes that nodes, events and snapshots take.
fn used(header: &Header) -> u64 {
    let nodes = u64::from(header.nodes) * size_of::<Node>() as u64;
    nodes + u64::from(header.events) * size_of::<Event>() as u64 + header.snapshot_bytes
}

/// Whether there is as much as the header says. A run writes what it counts, so what is read takes us no more memory than
/// it took the run.
fn check_header(area: &Area, header: &Header) -> Result<(), TraceError> {
    let limits = area.limits;
    let laid_out = (header.node_limit, header.event_limit, header.snapshot_limit, header.blocks);
    let expected = (limits.nodes, limits.events, limits.snapshots, area.blocks);
    if header.magic != layout::MAGIC || laid_out != expected {
        return Err(TraceError::Foreign);
    }
    let malformed = |reason| Err(TraceError::Malformed { place: Place::Header, reason });
    let is_within = header.nodes <= limits.nodes
        && header.events <= limits.events
        && header.snapshot_bytes <= limits.snapshots
        && header.sources as usize <= layout::MAX_SOURCES
        && header.losses as usize <= layout::MAX_LOSSES
        && header.text_bytes as usize <= layout::MAX_TEXTS;
    if !is_within {
        return malformed("more than fits");
    }
    if used(header) > area.present()? { malformed("more than was written") } else { Ok(()) }
}
