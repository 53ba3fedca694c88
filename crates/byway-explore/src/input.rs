//! Inputs: where an exploration begins, and inputs that differ from that in some bytes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use byway_input::{ConcreteInput, InputFile, InputModel};
use byway_solve::{Changes, InputPosition, InputSource, Var, Variables};
use byway_trace::{SourceKind, Trace};
use rustc_hash::FxHashMap;

/// Where an exploration begins: its first input, and what of it can be changed.
#[derive(Debug, Clone, Default)]
pub struct Start {
    /// The first input, with all the arguments that there can be: each has as many bytes as it has room, zeros behind its text.
    pub first: ConcreteInput,
    /// How many of the arguments the first input has.
    pub first_count: u32,
    /// What of it is symbolic.
    pub model: InputModel,
    /// Whether standard input and the files may be shorter than they are.
    pub sizes: bool,
}

/// An input with exactly the objects that its run asked for: a program that replays them looks at their sizes.
pub fn with_objects_of(input: &ConcreteInput, trace: &Trace) -> ConcreteInput {
    let mut objects = Vec::new();
    for asked in trace.inputs().iter().filter(|input| input.kind == SourceKind::Object) {
        let mut bytes = input.objects.get(asked.index as usize).map_or(Vec::new(), |object| object.1.clone());
        bytes.resize(asked.bytes as usize, 0);
        objects.push((asked.given_name.clone(), bytes));
    }
    ConcreteInput { objects, ..input.clone() }
}

/// The number of an argument among those behind the program's name.
fn argument(source: &InputSource) -> Option<usize> {
    (source.index as usize).checked_sub(1)
}

/// What the names of sizes begin with.
pub const SIZE_OF: &str = "size of ";
/// How many bytes a size has.
const SIZE_BYTES: usize = 4;

/// A size as a source has it.
pub fn size_bytes(size: usize) -> Vec<u8> {
    (size as u32).to_le_bytes().to_vec()
}

/// The first input, grown by what runs found: files and objects that nobody had named.
#[derive(Debug)]
pub struct Origin {
    /// Where it began.
    pub start: Start,
    /// Files that programs read, as they were before the exploration.
    found: BTreeMap<PathBuf, InputFile>,
    /// The objects that were asked for: their names.
    objects: Vec<String>,
    /// The path of a file as it appears in traces, and as we call it.
    paths: FxHashMap<String, PathBuf>,
}

impl Origin {
    /// Nothing was found yet.
    pub fn new(start: Start) -> Origin {
        Origin { start, found: BTreeMap::new(), objects: Vec::new(), paths: FxHashMap::default() }
    }

    /// Notes a file that a run read: its path in the trace, the path we use, and what is in it if nobody changes it.
    pub fn note_file(&mut self, traced: &str, path: PathBuf, content: impl FnOnce() -> Vec<u8>) {
        if self.paths.contains_key(traced) {
            return;
        }
        self.paths.insert(traced.to_owned(), path.clone());
        if self.start.first.files.get(&path).is_none() {
            self.found.insert(path, InputFile::from(content()));
        }
    }

    /// The files that nobody had named and that a run read.
    pub fn found_files(&self) -> impl Iterator<Item = &PathBuf> {
        self.found.keys()
    }

    /// Whether a file is known by its path in traces.
    pub fn knows_file(&self, traced: &str) -> bool {
        self.paths.contains_key(traced)
    }

    /// Notes the object that a run asked for as its n-th.
    pub fn note_object(&mut self, index: usize, name: &str) {
        if self.objects.len() <= index {
            self.objects.resize(index + 1, String::new());
        }
        name.clone_into(&mut self.objects[index]);
    }

    fn file(&self, path: &Path) -> Option<&InputFile> {
        self.start.first.files.get(path).or_else(|| self.found.get(path))
    }

    fn traced_file(&self, traced: &str) -> Option<&InputFile> {
        self.file(self.paths.get(traced)?)
    }

    /// The value of a byte in the first input.
    pub fn byte(&self, source: &InputSource, offset: u64) -> u8 {
        let first = &self.start.first;
        let at = |bytes: &Vec<u8>| bytes.get(offset as usize).copied();
        let value = match source.kind {
            SourceKind::Argument => argument(source).and_then(|number| first.arguments.get(number)).and_then(at),
            SourceKind::ArgumentCount => Some(self.start.first_count as u8),
            SourceKind::Stdin => first.stdin.as_ref().and_then(at),
            SourceKind::File => self.traced_file(&source.name).and_then(|file| at(&file.content)),
            SourceKind::Size => self.sized(source).and_then(|bytes| at(&size_bytes(bytes.len()))),
            SourceKind::Object | SourceKind::Environment => None,
        };
        value.unwrap_or(0)
    }

    /// The input whose size a source is.
    fn sized(&self, source: &InputSource) -> Option<&Vec<u8>> {
        match source.name.strip_prefix(SIZE_OF)? {
            "stdin" => self.start.first.stdin.as_ref(),
            traced => self.traced_file(traced).map(|file| &*file.content),
        }
    }

    /// The value of a byte in an input.
    pub fn value(&self, variables: &Variables, changes: &Changes, var: Var) -> u8 {
        changes.get(var).unwrap_or_else(|| {
            let InputPosition { source, offset } = variables.place(var);
            self.byte(variables.source(source), offset)
        })
    }

    /// The input that differs from the first one in these bytes.
    pub fn input(&self, variables: &Variables, changes: &Changes) -> ConcreteInput {
        let objects = self.objects.iter().map(|name| (name.clone(), Vec::new())).collect();
        let mut input = ConcreteInput { objects, ..self.start.first.clone() };
        let mut count = self.start.first_count as usize;
        let mut sizes: BTreeMap<&InputSource, Vec<u8>> = BTreeMap::new();
        for (var, value) in changes.iter() {
            let InputPosition { source, offset } = variables.place(var);
            let source = variables.source(source);
            match (source.kind, self.sized(source)) {
                (SourceKind::Size, Some(bytes)) => {
                    let size = sizes.entry(source).or_insert_with(|| size_bytes(bytes.len()));
                    size[offset as usize % SIZE_BYTES] = value;
                }
                (SourceKind::ArgumentCount, _) => count = usize::from(value),
                _ => self.change(&mut input, source, offset as usize, value),
            }
        }
        sizes.iter().for_each(|(source, size)| self.shorten(&mut input, source, size));
        input.arguments.truncate(count);
        input
    }

    /// Cuts an input to its size.
    fn shorten(&self, input: &mut ConcreteInput, source: &InputSource, size: &[u8]) {
        let size = size.iter().rev().fold(0, |size, &byte| size << 8 | usize::from(byte));
        let bytes = match source.name.strip_prefix(SIZE_OF) {
            Some("stdin") => input.stdin.as_mut(),
            Some(traced) => self.paths.get(traced).and_then(|path| input.files.content_mut(path)),
            None => None,
        };
        if let Some(bytes) = bytes {
            bytes.truncate(size);
        }
    }

    fn change(&self, input: &mut ConcreteInput, source: &InputSource, offset: usize, value: u8) {
        let bytes = match source.kind {
            SourceKind::Argument => argument(source).and_then(|number| input.arguments.get_mut(number)),
            SourceKind::Stdin => input.stdin.as_mut(),
            SourceKind::File => self.paths.get(&source.name).and_then(|path| {
                if input.files.get(path).is_none() {
                    input.files.insert(path.clone(), self.found.get(path)?.clone());
                }
                input.files.content_mut(path)
            }),
            SourceKind::Object => input.objects.get_mut(source.index as usize).map(|(_, bytes)| {
                // What the program asks for beyond what is there is zero.
                bytes.resize(bytes.len().max(offset + 1), 0);
                bytes
            }),
            SourceKind::Size | SourceKind::ArgumentCount | SourceKind::Environment => None,
        };
        if let Some(byte) = bytes.and_then(|bytes| bytes.get_mut(offset)) {
            *byte = value;
        }
    }
}
