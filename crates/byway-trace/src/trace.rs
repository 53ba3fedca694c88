//! The finished trace of a run.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::check;
use crate::error::TraceError;
use crate::kind::{Cause, Ending, ReportedError, SourceKind};
use crate::layout::{self, Event, Header, Node};
use crate::memory::{Content, TraceLimits};

/// What a run computed from its input, and which way it went. Everything in it has been checked.
#[derive(Debug)]
pub struct Trace {
    content: Content,
    inputs: Vec<Input>,
    /// Files that are known by another name than the run knew them by.
    renamed: HashMap<usize, PathBuf>,
}

/// Where input came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// What it is.
    pub kind: SourceKind,
    /// What it is called in expressions: `argv[1]`, `stdin`, a path, `$VARIABLE`, `argc`, `size of stdin`, the name of an
    /// object. No two inputs have the same.
    pub name: String,
    /// What the program calls it, if it is an object: several may have the same name.
    pub given_name: String,
    /// The index in `argv`, for arguments. For objects, how many came before it. For sizes, the number of the input whose
    /// size it is.
    pub index: u32,
    /// How many of its bytes are symbolic.
    pub bytes: u32,
}

/// Input that a run read but that is not symbolic, since a library that byway did not compile read it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnseenInput {
    /// The path of the file, or `stdin`.
    pub source: String,
    /// The library, such as `libstdc++.so.6`.
    pub reader: String,
}

impl fmt::Display for UnseenInput {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_cpp = self.reader.starts_with("libstdc++.") || self.reader.starts_with("libc++.");
        let streams = if is_cpp { "the C++ streams of " } else { "" };
        write!(formatter, "{}, read by {streams}{}", self.source, self.reader)
    }
}

/// Where and why precision was lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lost {
    /// Why.
    pub cause: Cause,
    /// Where; see [`layout::MODEL_SITE`] and [`layout::NO_SITE`].
    pub site: u32,
    /// The function without a model, if that was the cause; for input that a library read, what was read and by which.
    pub function: Option<String>,
    /// How often.
    pub count: u64,
}

/// The most bytes of a name.
const LONGEST_NAME: usize = 4096;

/// What the n-th of several objects that have one name is called in expressions; n is at least 2.
pub fn nth_name(name: &str, n: u32) -> String {
    format!("{name} ({n})")
}

impl Trace {
    pub(crate) fn new(content: Content) -> Result<Trace, TraceError> {
        check::check(&content)?;
        let mut trace = Trace { content, inputs: Vec::new(), renamed: HashMap::new() };
        trace.inputs = trace.content.sources.iter().filter_map(|source| trace.input(source)).collect();
        trace.tell_objects_apart();
        Ok(trace)
    }

    /// A program may give the same name to many objects.
    fn tell_objects_apart(&mut self) {
        let mut taken: HashMap<String, u32> = HashMap::new();
        for input in &mut self.inputs {
            let count = taken.entry(input.name.clone()).or_default();
            *count += 1;
            if *count > 1 && input.kind == SourceKind::Object {
                input.name = nth_name(&input.name, *count);
            }
        }
    }

    fn input(&self, source: &layout::Source) -> Option<Input> {
        let kind = SourceKind::of(source.kind)?;
        let text = self.name(source.name);
        let name = match kind {
            SourceKind::Argument => format!("argv[{}]", source.index),
            SourceKind::Stdin => "stdin".to_owned(),
            SourceKind::File => Path::new(text).display().to_string(),
            SourceKind::Environment => format!("${}", Path::new(text).display()),
            SourceKind::ArgumentCount => "argc".to_owned(),
            SourceKind::Object => text.to_string_lossy().into_owned(),
            SourceKind::Size if source.name == 0 => "size of stdin".to_owned(),
            SourceKind::Size => format!("size of {}", Path::new(text).display()),
        };
        Some(Input { kind, given_name: name.clone(), name, index: source.index, bytes: source.bytes })
    }

    /// A name; no path is longer than what is taken of it. Others may be shared by thousands of losses.
    fn name(&self, offset: u32) -> &OsStr {
        let text = self.text(offset).as_bytes();
        OsStr::from_bytes(&text[..text.len().min(LONGEST_NAME)])
    }

    fn text(&self, offset: u32) -> &OsStr {
        let text = self.content.texts.get(offset as usize..).unwrap_or_default();
        let end = text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
        OsStr::from_bytes(&text[..end])
    }

    /// The limits that the run had.
    pub fn limits(&self) -> TraceLimits {
        self.content.limits
    }

    /// Counts that the run kept.
    pub fn header(&self) -> &Header {
        &self.content.header
    }

    /// The nodes, indexed by label; the first is not one.
    pub fn nodes(&self) -> &[Node] {
        &self.content.nodes
    }

    /// How many nodes there are.
    pub fn node_count(&self) -> usize {
        self.content.nodes.len().saturating_sub(1)
    }

    /// The node with a label of this trace.
    pub fn node(&self, label: u32) -> &Node {
        &self.nodes()[label as usize]
    }

    /// What happened, in order.
    pub fn events(&self) -> &[Event] {
        &self.content.events
    }

    /// The event of the object that an event of an access or a length speaks of, if it is known.
    pub fn object(&self, event: &Event) -> Option<&Event> {
        let number = match event.kind {
            layout::event::ACCESS => usize::try_from(event.a).ok()?,
            layout::event::LENGTH if !is_model_site(event.site) => event.extra as usize,
            _ => return None,
        };
        self.events().get(number.checked_sub(1)?)
    }

    /// The memory that an event of a length speaks of.
    pub fn address(&self, event: &Event) -> u64 {
        match event.address_label() {
            0 => event.b,
            label => self.node(label).value,
        }
    }

    /// The sources of input, as [`layout::op::INPUT`] numbers them.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// The file of a source: `None` if it is no file.
    pub fn input_path(&self, source: usize) -> Option<&Path> {
        if let Some(path) = self.renamed.get(&source) {
            return Some(path);
        }
        let source = self.content.sources.get(source)?;
        (source.kind == layout::source_kind::FILE).then(|| Path::new(self.name(source.name)))
    }

    /// Gives files other names, for runs that saw them elsewhere than they belong.
    pub fn rename_files(&mut self, name: impl Fn(&Path) -> Option<PathBuf>) {
        for number in 0..self.inputs.len() {
            if let Some(path) = self.input_path(number).and_then(&name) {
                self.inputs[number].name = path.display().to_string();
                self.renamed.insert(number, path);
            }
        }
    }

    /// The name that the program gave to an object: `None` if the source is none.
    pub fn object_name(&self, source: usize) -> Option<&OsStr> {
        let source = self.content.sources.get(source)?;
        (source.kind == layout::source_kind::OBJECT).then(|| self.name(source.name))
    }

    /// How the program ended itself, where it said more than an exit code does.
    pub fn ending(&self) -> Ending {
        let text = |offset: u32| self.text(offset).to_string_lossy().into_owned();
        let header = &self.content.header;
        match header.ending {
            layout::ending::ASSUMPTION => Ending::Assumption,
            layout::ending::SILENT => Ending::Silent,
            layout::ending::ERROR => Ending::Error(ReportedError {
                message: text(header.message),
                suffix: text(header.suffix),
                file: text(header.file),
                line: header.line,
            }),
            _ => Ending::Ordinary,
        }
    }

    /// Where the program assumed what did not hold, if that ended the run.
    pub fn failed_assumption(&self) -> Option<u32> {
        (self.header().ending == layout::ending::ASSUMPTION).then_some(self.header().line)
    }

    /// Where and why precision was lost.
    pub fn losses(&self) -> impl Iterator<Item = Lost> {
        self.content.losses.iter().filter_map(|loss| {
            let function = match Cause::of(loss.cause)? {
                Cause::UnseenInput => Some(self.unseen_input(loss).to_string()),
                _ => (loss.name != 0).then(|| self.name(loss.name).to_string_lossy().into_owned()),
            };
            Some(Lost { cause: Cause::of(loss.cause)?, site: loss.site, function, count: loss.count })
        })
    }

    fn unseen_input(&self, loss: &layout::Loss) -> UnseenInput {
        let text = |offset: u32| self.name(offset).to_string_lossy().into_owned();
        UnseenInput { source: text(loss.name), reader: text(loss.reader) }
    }

    /// What the run read and byway did not see, each once.
    pub fn unseen_inputs(&self) -> Vec<UnseenInput> {
        let losses = self.content.losses.iter();
        let unseen = losses.filter(|loss| loss.cause == layout::cause::UNSEEN_INPUT);
        unseen.map(|loss| self.unseen_input(loss)).collect()
    }

    /// Whether the run read standard input or a file such that byway could follow it.
    pub fn is_input_seen(&self) -> bool {
        let is_read = |input: &Input| matches!(input.kind, SourceKind::Stdin | SourceKind::File) && input.bytes > 0;
        self.inputs.iter().any(is_read)
    }

    /// For each block of the program, whether this run or a child of it executed it: not 0.
    pub fn blocks(&self) -> &[u8] {
        &self.content.blocks
    }

    /// The blocks of the program that this run or a child of it executed.
    pub fn executed(&self) -> impl Iterator<Item = u32> {
        self.blocks().iter().zip(0..).filter(|&(&hit, _)| hit != 0).map(|(_, block)| block)
    }

    /// The snapshot that a [`layout::op::LOAD`] names.
    pub fn snapshot(&self, offset: u32) -> Snapshot<'_> {
        Snapshot::at(self.content.snapshots(), offset).unwrap_or(Snapshot { base: 0, bytes: &[], labels: &[] })
    }
}

/// Whether a site is in the model of a library function, see [`layout::MODEL_SITE`].
pub fn is_model_site(site: u32) -> bool {
    site & layout::MODEL_SITE != 0 && site != layout::NO_SITE
}

impl Event {
    /// The label of the dividend of a [`layout::event::DIVISION`]; 0 if it is constant or not known.
    pub fn dividend(&self) -> u32 {
        if is_model_site(self.site) { 0 } else { self.extra }
    }

    /// The label of the address of a [`layout::event::LENGTH`]; 0 if it is constant.
    pub fn address_label(&self) -> u32 {
        if self.flag & layout::SYMBOLIC_ADDRESS == 0 { 0 } else { self.b as u32 }
    }

    /// Whether the descriptor of an [`layout::event::OUTPUT`] is 1 or 2, but no longer the file that it was when the program began.
    pub fn is_elsewhere(&self) -> bool {
        self.flag == 1
    }

    /// How many bytes an [`layout::event::ACCESS`] reads or writes.
    pub fn access_size(&self) -> u64 {
        if is_model_site(self.site) { 1 } else { self.extra.into() }
    }
}

/// An object as it was when it was read through a symbolic address.
#[derive(Debug, Clone, Copy)]
pub struct Snapshot<'a> {
    /// Where the object was.
    pub base: u64,
    /// What was in it.
    pub bytes: &'a [u8],
    /// The label of each byte (see [`layout::BYTE_SHIFT`]); empty if all are constant.
    pub labels: &'a [u32],
}

impl<'a> Snapshot<'a> {
    /// The snapshot at an offset, which counts in units of 8 bytes.
    pub(crate) fn at(snapshots: &'a [u8], offset: u32) -> Option<Self> {
        let rest = snapshots.get(offset as usize * 8..)?;
        let (header, rest) = rest.split_at_checked(size_of::<layout::Snapshot>())?;
        let header: layout::Snapshot = *bytemuck::from_bytes(header);
        let length = header.length as usize;
        let bytes = rest.get(..length)?;
        let labels = match header.labelled {
            0 => &[],
            _ => {
                let start = length.next_multiple_of(8);
                bytemuck::cast_slice(rest.get(start..start + length * size_of::<u32>())?)
            }
        };
        Some(Snapshot { base: header.base, bytes, labels })
    }

    /// The node of a byte, and which of its bytes it is; `None` if the byte is constant.
    pub fn label(&self, index: usize) -> Option<(u32, u32)> {
        let label = self.labels.get(index).copied().unwrap_or(0);
        (label != 0).then_some((label & ((1 << layout::BYTE_SHIFT) - 1), label >> layout::BYTE_SHIFT))
    }

    /// Where `count` bytes at `address` are in the snapshot, if they are there.
    pub fn position(&self, address: u64, count: usize) -> Option<usize> {
        let last = self.bytes.len().checked_sub(count)?;
        usize::try_from(address.wrapping_sub(self.base)).ok().filter(|&position| position <= last)
    }
}
