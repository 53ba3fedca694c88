//! The memory that a run and its observer share, as the observer sees it.
//!
//! This is the only part of the crate with `unsafe` code: the mapping. What is in it is plain numbers, seen through
//! bytemuck.
#![allow(unsafe_code)]

use std::fs::File;
use std::sync::{Arc, Mutex, PoisonError};

use bytemuck::Pod;
use memmap2::{MmapMut, MmapOptions};
use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, ftruncate, memfd_create};

use crate::error::TraceError;
use crate::layout::{self, Event, Header, Loss, Node, Source};
use crate::trace::Trace;

/// How much a trace may hold. What does not fit is lost, and counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
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

impl Default for Limits {
    fn default() -> Self {
        Limits { nodes: 1 << 24, events: 1 << 23, depth: 1000, object: 8192, input: 16 << 20, snapshots: 256 << 20 }
    }
}

impl Limits {
    fn total_size(&self, blocks: u32) -> usize {
        layout::total_size(self.nodes, self.events, self.snapshots, blocks)
    }
}

/// Memory for the runs of one program. What a trace lies in is used again when the trace is dropped: most runs are short,
/// and memory that is there already is cheaper than new memory.
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
    pub fn take(&self, limits: Limits, symbolic: u32) -> Result<Memory, TraceError> {
        let mut shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
        shelf.retain(|area| area.limits == limits);
        let waiting = shelf.pop();
        drop(shelf);
        let area = match waiting {
            Some(mut area) => {
                area.clear();
                area
            }
            None => Area::create(limits, self.blocks)?,
        };
        Ok(Memory::new(area, Some(self.shelf.clone()), symbolic))
    }
}

/// Memory for the trace of one run. It takes only as much of the machine's as the run writes.
#[derive(Debug)]
pub struct Memory(Mapping);

impl Memory {
    /// Makes memory for one run of a program with so many blocks; see [`Memories::take`].
    pub fn create(limits: Limits, symbolic: u32, blocks: u32) -> Result<Memory, TraceError> {
        Ok(Memory::new(Area::create(limits, blocks)?, None, symbolic))
    }

    fn new(area: Area, shelf: Option<Shelf>, symbolic: u32) -> Memory {
        let mut memory = Memory(Mapping { area: Some(area), shelf });
        let header = memory.header(symbolic);
        memory.write(0, &[header]);
        memory
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
            blocks: self.0.block_count(),
            ..bytemuck::Zeroable::zeroed()
        }
    }

    /// Writes to the memory as a run does.
    pub(crate) fn write<T: Pod>(&mut self, offset: usize, items: &[T]) {
        let bytes: &[u8] = bytemuck::cast_slice(items);
        self.0.area_mut().map[offset..offset + bytes.len()].copy_from_slice(bytes);
    }

    /// The limits it was made for.
    pub fn limits(&self) -> Limits {
        self.0.limits()
    }

    /// The file, to be handed to the run.
    pub fn file(&self) -> &File {
        &self.0.area().file
    }

    /// What the run left. To be called when the run has ended.
    pub fn finish(self) -> Result<Trace, TraceError> {
        Trace::new(self.0)
    }
}

/// A file in memory, mapped.
#[derive(Debug)]
struct Area {
    file: File,
    map: MmapMut,
    limits: Limits,
    blocks: u32,
}

impl Area {
    fn create(limits: Limits, blocks: u32) -> Result<Area, TraceError> {
        let failed = |what| move |source: rustix::io::Errno| TraceError::Memory { what, source: source.into() };
        let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
        let size = limits.total_size(blocks);
        let file = memfd_create("byway-trace", flags).map_err(failed("create"))?;
        ftruncate(&file, size as u64).map_err(failed("size"))?;
        // A program that cuts the file short would end us with a signal.
        fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW).map_err(failed("seal"))?;
        let file = File::from(file);
        // SAFETY: the file is anonymous and cannot shrink (it is sealed), so what is mapped stays mapped. Only the run and its
        // children have it. We look at it before the run begins and when it has ended, and nobody writes then: the
        // run is gone, and of its children we only know that they do not trace. If one writes, a block that it executes or
        // by a stray pointer, we read other plain numbers than before; no type used for them has a pattern of bits that
        // is invalid, and what is used as an index is checked by Rust at its use.
        let map = unsafe { MmapOptions::new().len(size).map_mut(&file) };
        let map = map.map_err(|source| TraceError::Memory { what: "map", source })?;
        Ok(Area { file, map, limits, blocks })
    }

    fn blocks_offset(&self) -> usize {
        layout::blocks_offset(self.limits.nodes, self.limits.events, self.limits.snapshots)
    }

    /// Makes it as good as new: what is counted in the header counts from 0, only blocks are looked at without a count.
    fn clear(&mut self) {
        let blocks = self.blocks_offset();
        self.map[blocks..blocks + self.blocks as usize].fill(0);
        // The empty text.
        self.map[layout::TEXTS] = 0;
    }

    /// Whether it can be used again: no child of the run may write to it any more, and it is not too large to keep.
    fn is_reusable(&self) -> bool {
        let header: &Header = bytemuck::from_bytes(&self.map[..size_of::<Header>()]);
        let used = header.nodes as usize * size_of::<Node>()
            + header.events as usize * size_of::<Event>()
            + header.snapshot_bytes.min(LARGE as u64) as usize;
        header.children == 0 && used < LARGE
    }
}

/// The mapped memory, part by part.
#[derive(Debug)]
pub(crate) struct Mapping {
    /// There until we are dropped.
    area: Option<Area>,
    /// Where it goes then.
    shelf: Option<Shelf>,
}

impl Drop for Mapping {
    fn drop(&mut self) {
        if let (Some(area), Some(shelf)) = (self.area.take(), &self.shelf) {
            let mut shelf = shelf.lock().unwrap_or_else(PoisonError::into_inner);
            if shelf.len() < WAITING && area.is_reusable() {
                shelf.push(area);
            }
        }
    }
}

impl Mapping {
    fn area(&self) -> &Area {
        self.area.as_ref().expect("there until we are dropped")
    }

    fn area_mut(&mut self) -> &mut Area {
        self.area.as_mut().expect("there until we are dropped")
    }

    /// The limits that say where the parts are. They are ours; those in the header may have been overwritten.
    pub fn limits(&self) -> Limits {
        self.area().limits
    }

    /// How many blocks the program has.
    pub fn block_count(&self) -> u32 {
        self.area().blocks
    }

    pub fn header(&self) -> Header {
        self.part::<Header>(0, 1)[0]
    }

    pub fn sources(&self, count: u32) -> &[Source] {
        self.part(layout::SOURCES, count as usize)
    }

    pub fn losses(&self, count: u32) -> &[Loss] {
        self.part(layout::LOSSES, count as usize)
    }

    pub fn texts(&self, bytes: u32) -> &[u8] {
        self.part(layout::TEXTS, bytes as usize)
    }

    /// The nodes with smaller labels than `end`. The first is not a node.
    pub fn nodes(&self, end: u32) -> &[Node] {
        self.part(layout::NODES, end as usize)
    }

    pub fn events(&self, count: u32) -> &[Event] {
        self.part(layout::events_offset(self.limits().nodes), count as usize)
    }

    pub fn snapshots(&self, bytes: u64) -> &[u8] {
        self.part(layout::snapshots_offset(self.limits().nodes, self.limits().events), bytes as usize)
    }

    pub fn blocks(&self) -> &[u8] {
        self.part(self.area().blocks_offset(), self.block_count() as usize)
    }

    /// `count` items from `offset` on. Parts begin at multiples of a page, and counts have been compared with the limits.
    fn part<T: Pod>(&self, offset: usize, count: usize) -> &[T] {
        bytemuck::cast_slice(&self.area().map[offset..offset + count * size_of::<T>()])
    }
}
