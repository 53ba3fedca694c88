//! Inputs: what runs are given, and what can be changed in it.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use byway_report::Input;
use byway_solve::{Changes, Place, Source, Var, Variables};
use byway_trace::{SourceKind, Trace};
use rustc_hash::FxHashMap;

/// What the inputs of an exploration have in common: its first input, and what of it can be changed.
#[derive(Debug, Clone, Default)]
pub struct Shape {
    /// The arguments without the program's name: each as many bytes as it has room, zeros behind its text.
    pub arguments: Vec<Argument>,
    /// How many of the arguments there can be, if not all.
    pub count: Option<RangeInclusive<u32>>,
    /// How many there are in the first input.
    pub first_count: u32,
    /// Standard input, if there is one, and whether it can be changed.
    pub stdin: Option<Vec<u8>>,
    /// Files that are there for every run, by the name under which the program finds them.
    pub files: BTreeMap<PathBuf, Vec<u8>>,
    /// Whether a symbolic path may become the name of one of the files.
    pub names: bool,
    /// Whether standard input and the files may be shorter than they are.
    pub sizes: bool,
    /// Whether files that the program finds in its directory can be changed too.
    pub other_files: bool,
}

/// An argument of the first input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument {
    /// Its bytes: the text, then zeros up to the room it has.
    pub bytes: Vec<u8>,
    /// Whether it is never changed.
    pub fixed: bool,
}

/// What a run is given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Given {
    /// The arguments, with zeros up to the room they have.
    pub arguments: Vec<Vec<u8>>,
    /// How many of them are passed.
    pub count: usize,
    /// Standard input.
    pub stdin: Option<Vec<u8>>,
    /// The files that are not as they were found.
    pub files: BTreeMap<PathBuf, Vec<u8>>,
    /// Objects, in the order in which the program asks for them.
    pub objects: Vec<(String, Vec<u8>)>,
}

impl Given {
    /// The same with exactly the objects that its run asked for: a program that replays them looks at their sizes.
    pub fn with_objects_of(&self, trace: &Trace) -> Given {
        let mut objects = Vec::new();
        for asked in trace.inputs().iter().filter(|input| input.kind == SourceKind::Object) {
            let mut bytes = self.objects.get(asked.index as usize).map_or(Vec::new(), |object| object.1.clone());
            bytes.resize(asked.bytes as usize, 0);
            objects.push((asked.given_name.clone(), bytes));
        }
        Given { objects, ..self.clone() }
    }

    /// What a test of this input says.
    pub fn to_input(&self) -> Input {
        let text = |bytes: &Vec<u8>| bytes.split(|&byte| byte == 0).next().unwrap_or_default().to_vec();
        Input {
            arguments: self.arguments[..self.count].iter().map(text).collect(),
            stdin: self.stdin.clone(),
            files: self.files.iter().map(|(path, content)| (path.clone(), content.clone())).collect(),
            objects: self.objects.clone(),
        }
    }
}

/// The number of an argument among those behind the program's name.
fn argument(source: &Source) -> Option<usize> {
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
    /// What was asked for.
    pub shape: Shape,
    /// Files that programs read, as they were before the exploration.
    found: BTreeMap<PathBuf, Vec<u8>>,
    /// The objects that were asked for: their names.
    objects: Vec<String>,
    /// The path of a file as it appears in traces, and as we call it.
    paths: FxHashMap<String, PathBuf>,
}

impl Origin {
    /// Nothing was found yet.
    pub fn new(shape: Shape) -> Origin {
        Origin { shape, found: BTreeMap::new(), objects: Vec::new(), paths: FxHashMap::default() }
    }

    /// Notes a file that a run read: its path in the trace, the path we use, and what is in it if nobody changes it.
    pub fn note_file(&mut self, traced: &str, path: PathBuf, content: impl FnOnce() -> Vec<u8>) {
        if self.paths.contains_key(traced) {
            return;
        }
        self.paths.insert(traced.to_owned(), path.clone());
        if !self.shape.files.contains_key(&path) {
            self.found.insert(path, content());
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

    fn file(&self, path: &PathBuf) -> Option<&Vec<u8>> {
        self.shape.files.get(path).or_else(|| self.found.get(path))
    }

    /// The value of a byte in the first input.
    pub fn byte(&self, source: &Source, offset: u64) -> u8 {
        let at = |bytes: &Vec<u8>| bytes.get(offset as usize).copied();
        let value = match source.kind {
            SourceKind::Argument => {
                argument(source).and_then(|number| self.shape.arguments.get(number)).and_then(|it| at(&it.bytes))
            }
            SourceKind::ArgumentCount => Some(self.shape.first_count as u8),
            SourceKind::Stdin => self.shape.stdin.as_ref().and_then(at),
            SourceKind::File => self.paths.get(&source.name).and_then(|path| self.file(path)).and_then(at),
            SourceKind::Size => self.sized(source).and_then(|bytes| at(&size_bytes(bytes.len()))),
            SourceKind::Object | SourceKind::Environment => None,
        };
        value.unwrap_or(0)
    }

    /// The input whose size a source is.
    fn sized(&self, source: &Source) -> Option<&Vec<u8>> {
        match source.name.strip_prefix(SIZE_OF)? {
            "stdin" => self.shape.stdin.as_ref(),
            traced => self.file(self.paths.get(traced)?),
        }
    }

    /// The value of a byte in an input.
    pub fn value(&self, variables: &Variables, changes: &Changes, var: Var) -> u8 {
        changes.get(var).unwrap_or_else(|| {
            let Place { source, offset } = variables.place(var);
            self.byte(variables.source(source), offset)
        })
    }

    /// The input that differs from the first one in these bytes.
    pub fn given(&self, variables: &Variables, changes: &Changes) -> Given {
        let shape = &self.shape;
        let mut given = Given {
            arguments: shape.arguments.iter().map(|argument| argument.bytes.clone()).collect(),
            count: shape.first_count as usize,
            stdin: shape.stdin.clone(),
            files: shape.files.clone(),
            objects: self.objects.iter().map(|name| (name.clone(), Vec::new())).collect(),
        };
        let mut sizes: BTreeMap<&Source, Vec<u8>> = BTreeMap::new();
        for (var, value) in changes.iter() {
            let Place { source, offset } = variables.place(var);
            let source = variables.source(source);
            match (source.kind, self.sized(source)) {
                (SourceKind::Size, Some(bytes)) => {
                    let size = sizes.entry(source).or_insert_with(|| size_bytes(bytes.len()));
                    size[offset as usize % SIZE_BYTES] = value;
                }
                _ => self.change(&mut given, source, offset as usize, value),
            }
        }
        sizes.iter().for_each(|(source, size)| self.shorten(&mut given, source, size));
        given
    }

    /// Cuts an input to its size.
    fn shorten(&self, given: &mut Given, source: &Source, size: &[u8]) {
        let size = size.iter().rev().fold(0, |size, &byte| size << 8 | usize::from(byte));
        let bytes = match source.name.strip_prefix(SIZE_OF) {
            Some("stdin") => given.stdin.as_mut(),
            Some(traced) => self.paths.get(traced).and_then(|path| given.files.get_mut(path)),
            None => None,
        };
        if let Some(bytes) = bytes {
            bytes.truncate(size);
        }
    }

    fn change(&self, given: &mut Given, source: &Source, offset: usize, value: u8) {
        let bytes = match source.kind {
            SourceKind::ArgumentCount => {
                given.count = usize::from(value).min(given.arguments.len());
                return;
            }
            SourceKind::Argument => argument(source).and_then(|number| given.arguments.get_mut(number)),
            SourceKind::Stdin => given.stdin.as_mut(),
            SourceKind::File => self.paths.get(&source.name).and_then(|path| {
                let original = self.file(path)?;
                Some(given.files.entry(path.clone()).or_insert_with(|| original.clone()))
            }),
            SourceKind::Object => given.objects.get_mut(source.index as usize).map(|(_, bytes)| {
                // What the program asks for beyond what is there is zero.
                bytes.resize(bytes.len().max(offset + 1), 0);
                bytes
            }),
            SourceKind::Size | SourceKind::Environment => None,
        };
        if let Some(byte) = bytes.and_then(|bytes| bytes.get_mut(offset)) {
            *byte = value;
        }
    }
}
