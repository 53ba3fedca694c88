//! A seed as the base of inputs near it: the value of each byte, and inputs that differ in some.

use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use byway_solve::{Changes, Place, Source, Var, Variables};
use byway_suite::{Seed, Stdin};
use byway_trace::{SourceKind, Trace};
use rustc_hash::FxHashMap;

use crate::given::Given;

/// A seed, and the files that its runs read.
///
/// Tests call their files and directories as they like. So that what one run computes from its first file can be compared with
/// what another does, files are numbered in the order in which runs of a seed first read them.
#[derive(Debug, Clone)]
pub struct Original {
    seed: Arc<Seed>,
    /// The files by number: where they are among the seed's, if they are.
    files: Vec<(PathBuf, Option<usize>)>,
    numbers: FxHashMap<PathBuf, u32>,
}

/// What decides, besides the values of bytes, which way a run goes: paths of seeds with different shapes are different.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Shape {
    name: Vec<u8>,
    arguments: Vec<usize>,
    stdin: Option<usize>,
    files: Vec<usize>,
    environment: Vec<(Vec<u8>, Vec<u8>)>,
}

/// Variables that shells change by themselves.
const VOLATILE: [&str; 4] = ["_", "PWD", "OLDPWD", "SHLVL"];

impl Original {
    /// A seed whose runs read nothing yet.
    pub fn new(seed: Arc<Seed>) -> Original {
        Original { seed, files: Vec::new(), numbers: FxHashMap::default() }
    }

    /// What decides its way besides the values of its bytes.
    pub fn shape(&self) -> Shape {
        let seed = &self.seed;
        let here = seed.directory.as_os_str().as_bytes();
        let mut environment: Vec<(Vec<u8>, Vec<u8>)> = seed
            .environment
            .iter()
            .filter(|(name, value)| {
                !VOLATILE.iter().any(|volatile| name == volatile) && !contains(value.as_bytes(), here)
            })
            .map(|(name, value)| (name.as_bytes().to_vec(), value.as_bytes().to_vec()))
            .collect();
        environment.sort();
        let name = seed.arguments.first().map(|name| Path::new(name).file_name().unwrap_or(name).as_bytes().to_vec());
        Shape {
            name: name.unwrap_or_default(),
            arguments: seed.arguments.iter().skip(1).map(|argument| argument.len()).collect(),
            stdin: match &seed.stdin {
                Stdin::Nothing => None,
                Stdin::Bytes(bytes) => Some(bytes.len()),
            },
            files: seed.files.iter().map(|file| file.content.len()).collect(),
            environment,
        }
    }

    /// What the sources of a trace are called in expressions.
    pub fn sources(&mut self, trace: &Trace) -> Vec<Source> {
        let name = |(number, input): (usize, &byway_trace::Input)| match (input.kind, trace.input_path(number)) {
            (SourceKind::File, Some(path)) => {
                let index = self.number(path);
                Source { kind: SourceKind::File, name: format!("file {index}"), index }
            }
            (SourceKind::Size, _) => Source { kind: input.kind, name: input.name.clone(), index: 0 },
            (kind, _) => Source { kind, name: input.name.clone(), index: input.index },
        };
        trace.inputs().iter().enumerate().map(name).collect()
    }

    fn number(&mut self, path: &Path) -> u32 {
        if let Some(&known) = self.numbers.get(path) {
            return known;
        }
        let number = self.files.len() as u32;
        let position = self.seed.files.iter().position(|file| file.path == path);
        self.files.push((path.to_owned(), position));
        self.numbers.insert(path.to_owned(), number);
        number
    }

    /// The value of a byte in the seed.
    fn byte(&self, source: &Source, offset: u64) -> u8 {
        let offset = offset as usize;
        let value = match source.kind {
            SourceKind::Argument => {
                self.seed.arguments.get(source.index as usize).and_then(|it| it.as_bytes().get(offset))
            }
            SourceKind::Stdin => match &self.seed.stdin {
                Stdin::Bytes(bytes) => bytes.get(offset),
                Stdin::Nothing => None,
            },
            SourceKind::File => self.file(source.index).and_then(|content| content.get(offset)),
            _ => None,
        };
        value.copied().unwrap_or(0)
    }

    fn file(&self, number: u32) -> Option<&Arc<[u8]>> {
        let position = self.files.get(number as usize)?.1?;
        Some(&self.seed.files[position].content)
    }

    /// The value of a byte in an input near the seed.
    pub fn value(&self, variables: &Variables, changes: &Changes, var: Var) -> u8 {
        changes.get(var).unwrap_or_else(|| self.seed_value(variables, var))
    }

    /// The value of a byte in the seed.
    pub fn seed_value(&self, variables: &Variables, var: Var) -> u8 {
        let Place { source, offset } = variables.place(var);
        self.byte(variables.source(source), offset)
    }

    /// The input that differs from the seed in these bytes.
    pub fn given(&self, variables: &Variables, changes: impl Iterator<Item = (Var, u8)>) -> Given {
        let mut given = Given::of(&self.seed);
        for (var, value) in changes {
            let Place { source, offset } = variables.place(var);
            let source = variables.source(source);
            let bytes = match source.kind {
                SourceKind::Argument => {
                    (source.index as usize).checked_sub(1).and_then(|at| given.arguments.get_mut(at))
                }
                SourceKind::Stdin => given.stdin.as_mut(),
                SourceKind::File => self.changed_file(&mut given.files, source.index),
                _ => None,
            };
            if let Some(byte) = bytes.and_then(|bytes| bytes.get_mut(offset as usize)) {
                *byte = value;
            }
        }
        given
    }

    fn changed_file<'a>(&self, files: &'a mut BTreeMap<PathBuf, Vec<u8>>, number: u32) -> Option<&'a mut Vec<u8>> {
        let content = self.file(number)?;
        let path = self.files[number as usize].0.clone();
        Some(files.entry(path).or_insert_with(|| content.to_vec()))
    }
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    !part.is_empty() && text.windows(part.len()).any(|window| window == part)
}
