//! An input as the base of inputs near it: the value of each byte, and inputs that differ in some.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use byway_input::ConcreteInput;
use byway_solve::{Changes, InputPosition, InputSource, Var, Variables};
use byway_trace::{SourceKind, Trace};
use rustc_hash::FxHashMap;

/// The input of a seed, and the files that its runs read.
///
/// Tests call their files and directories as they like. So that what one run computes from its first file can be compared with
/// what another does, files are numbered in the order in which runs of a seed first read them.
#[derive(Debug, Clone)]
pub struct Original {
    input: Arc<ConcreteInput>,
    /// The files by number: what is in them, if they are the input's.
    files: Vec<(PathBuf, Option<Arc<Vec<u8>>>)>,
    numbers: FxHashMap<PathBuf, u32>,
}

/// What decides, besides the values of bytes, which way a run goes: paths of inputs with different layouts are different.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct InputLayout {
    name: Vec<u8>,
    arguments: Vec<usize>,
    stdin: Option<usize>,
    files: Vec<usize>,
    environment: Vec<(Vec<u8>, Vec<u8>)>,
}

/// Variables that shells change by themselves.
const VOLATILE: [&str; 4] = ["_", "PWD", "OLDPWD", "SHLVL"];

impl Original {
    /// An input whose runs read nothing yet.
    pub fn new(input: Arc<ConcreteInput>) -> Original {
        Original { input, files: Vec::new(), numbers: FxHashMap::default() }
    }

    /// What decides its way besides the values of its bytes.
    pub fn layout(&self) -> InputLayout {
        let ConcreteInput { fixture, arguments, stdin, files, .. } = &*self.input;
        let here = fixture.directory.as_deref().unwrap_or(Path::new("")).as_os_str().as_bytes();
        let mut environment: Vec<(Vec<u8>, Vec<u8>)> = fixture
            .environment
            .iter()
            .filter(|(name, value)| {
                !VOLATILE.iter().any(|volatile| name == volatile) && !contains(value.as_bytes(), here)
            })
            .map(|(name, value)| (name.as_bytes().to_vec(), value.as_bytes().to_vec()))
            .collect();
        environment.sort();
        let name = fixture.name.as_ref().map(|name| Path::new(name).file_name().unwrap_or(name).as_bytes().to_vec());
        InputLayout {
            name: name.unwrap_or_default(),
            arguments: arguments.iter().map(Vec::len).collect(),
            stdin: stdin.as_ref().map(Vec::len),
            files: files.iter().map(|(_, file)| file.content.len()).collect(),
            environment,
        }
    }

    /// What the sources of a trace are called in expressions.
    pub fn sources(&mut self, trace: &Trace) -> Vec<InputSource> {
        let name = |(number, input): (usize, &byway_trace::Input)| match (input.kind, trace.input_path(number)) {
            (SourceKind::File, Some(path)) => {
                let index = self.number(path);
                InputSource { kind: SourceKind::File, name: format!("file {index}"), index }
            }
            (SourceKind::Size, _) => InputSource { kind: input.kind, name: input.name.clone(), index: 0 },
            (kind, _) => InputSource { kind, name: input.name.clone(), index: input.index },
        };
        trace.inputs().iter().enumerate().map(name).collect()
    }

    fn number(&mut self, path: &Path) -> u32 {
        if let Some(&known) = self.numbers.get(path) {
            return known;
        }
        let number = self.files.len() as u32;
        let content = self.input.files.get(path).map(|file| Arc::clone(&file.content));
        self.files.push((path.to_owned(), content));
        self.numbers.insert(path.to_owned(), number);
        number
    }

    /// The value of a byte in the input.
    fn byte(&self, source: &InputSource, offset: u64) -> u8 {
        let bytes = match source.kind {
            SourceKind::Argument => argument(source).and_then(|index| self.input.arguments.get(index)),
            SourceKind::Stdin => self.input.stdin.as_ref(),
            SourceKind::File => self.files.get(source.index as usize).and_then(|file| file.1.as_deref()),
            _ => None,
        };
        bytes.and_then(|bytes| bytes.get(offset as usize)).copied().unwrap_or(0)
    }

    /// The value of a byte in an input near the seed.
    pub fn value(&self, variables: &Variables, changes: &Changes, var: Var) -> u8 {
        changes.get(var).unwrap_or_else(|| self.seed_value(variables, var))
    }

    /// The value of a byte in the seed.
    pub fn seed_value(&self, variables: &Variables, var: Var) -> u8 {
        let InputPosition { source, offset } = variables.place(var);
        self.byte(variables.source(source), offset)
    }

    /// The input that differs from the seed's in these bytes.
    pub fn input(&self, variables: &Variables, changes: impl Iterator<Item = (Var, u8)>) -> ConcreteInput {
        let mut input = ConcreteInput::clone(&self.input);
        for (var, value) in changes {
            let InputPosition { source, offset } = variables.place(var);
            let source = variables.source(source);
            let bytes = match source.kind {
                SourceKind::Argument => argument(source).and_then(|index| input.arguments.get_mut(index)),
                SourceKind::Stdin => input.stdin.as_mut(),
                SourceKind::File => {
                    let file = self.files.get(source.index as usize);
                    file.and_then(|(path, _)| input.files.content_mut(path))
                }
                _ => None,
            };
            if let Some(byte) = bytes.and_then(|bytes| bytes.get_mut(offset as usize)) {
                *byte = value;
            }
        }
        input
    }
}

/// Which argument behind the program's name a source is.
fn argument(source: &InputSource) -> Option<usize> {
    (source.index as usize).checked_sub(1)
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    !part.is_empty() && text.windows(part.len()).any(|window| window == part)
}
