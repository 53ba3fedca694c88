//! The memory that a run and its observer share, as the observer sees it.
//!
//! This is the only part of the crate with `unsafe` code: the mapping. What is in it is plain numbers, seen through
//! bytemuck.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use bytemuck::Pod;
use memmap2::{Mmap, MmapOptions};
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

/// Memory for the trace of one run. It takes only as much of the machine's as the run writes.
#[derive(Debug)]
pub struct Memory {
    file: File,
    limits: Limits,
    blocks: u32,
}

impl Memory {
    /// Makes the memory for a run of a program with so many blocks. `symbolic` says which input is symbolic, an or of
    /// [`layout::ARGUMENTS`] and its neighbours.
    pub fn create(limits: Limits, symbolic: u32, blocks: u32) -> Result<Memory, TraceError> {
        let failed = |what| move |source: rustix::io::Errno| TraceError::Memory { what, source: source.into() };
        let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
        let memory = memfd_create("byway-trace", flags).map_err(failed("create"))?;
        ftruncate(&memory, limits.total_size(blocks) as u64).map_err(failed("size"))?;
        // A program that cuts the file short would end us with a signal.
        fcntl_add_seals(&memory, SealFlags::SHRINK | SealFlags::GROW).map_err(failed("seal"))?;
        let memory = Memory { file: memory.into(), limits, blocks };
        let header = memory.header(symbolic);
        memory.write(0, &[header]).map_err(|source| TraceError::Memory { what: "write", source })?;
        Ok(memory)
    }

    /// What the memory begins with before a run.
    pub(crate) fn header(&self, symbolic: u32) -> Header {
        Header {
            magic: layout::MAGIC,
            symbolic,
            node_limit: self.limits.nodes,
            event_limit: self.limits.events,
            depth_limit: self.limits.depth,
            object_limit: self.limits.object,
            input_limit: self.limits.input,
            snapshot_limit: self.limits.snapshots,
            blocks: self.blocks,
            ..bytemuck::Zeroable::zeroed()
        }
    }

    /// Writes to the memory as a run does.
    pub(crate) fn write<T: Pod>(&self, offset: usize, items: &[T]) -> io::Result<()> {
        self.file.write_all_at(bytemuck::cast_slice(items), offset as u64)
    }

    /// The limits it was made for.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// The file, to be handed to the run.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// What the run left. To be called when the run has ended.
    pub fn finish(self) -> Result<Trace, TraceError> {
        let map = |file: &File| {
            // SAFETY: the file is anonymous and cannot shrink (it is sealed), so what is mapped stays mapped. Only the
            // run and its children have it, and they write no more: the run has ended, its children do not trace. If one
            // did, by a stray pointer, we would read other plain numbers than before; no type used for them has a
            // pattern of bits that is invalid, and what is used as an index is checked by Rust at its use.
            unsafe { MmapOptions::new().len(self.limits.total_size(self.blocks)).map(file) }
        };
        let map = map(&self.file).map_err(|source| TraceError::Memory { what: "map", source })?;
        Trace::new(Mapping { map, limits: self.limits, blocks: self.blocks })
    }
}

/// The mapped memory, part by part.
#[derive(Debug)]
pub(crate) struct Mapping {
    map: Mmap,
    limits: Limits,
    blocks: u32,
}

impl Mapping {
    /// The limits that say where the parts are. They are ours; those in the header may have been overwritten.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// How many blocks the program has.
    pub fn block_count(&self) -> u32 {
        self.blocks
    }

    pub fn header(&self) -> Header {
        self.part::<Header>(0, 1)[0]
    }

    pub fn sources(&self, count: u32) -> &[Source] {
        self.part(layout::SOURCES, count as usize)
    }

    /// All of the table; entries that are not used have no cause.
    pub fn losses(&self) -> &[Loss] {
        self.part(layout::LOSSES, layout::MAX_LOSSES)
    }

    pub fn texts(&self) -> &[u8] {
        self.part(layout::TEXTS, layout::MAX_TEXTS)
    }

    /// The nodes with smaller labels than `end`. The first is not a node.
    pub fn nodes(&self, end: u32) -> &[Node] {
        self.part(layout::NODES, end as usize)
    }

    pub fn events(&self, count: u32) -> &[Event] {
        self.part(layout::events_offset(self.limits.nodes), count as usize)
    }

    pub fn snapshots(&self, bytes: u64) -> &[u8] {
        self.part(layout::snapshots_offset(self.limits.nodes, self.limits.events), bytes as usize)
    }

    pub fn blocks(&self) -> &[u8] {
        let Limits { nodes, events, snapshots, .. } = self.limits;
        self.part(layout::blocks_offset(nodes, events, snapshots), self.blocks as usize)
    }

    /// `count` items from `offset` on. Parts begin at multiples of a page, and counts have been compared with the limits.
    fn part<T: Pod>(&self, offset: usize, count: usize) -> &[T] {
        bytemuck::cast_slice(&self.map[offset..offset + count * size_of::<T>()])
    }
}
