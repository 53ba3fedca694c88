//! Everything that a run reads.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fixture::Fixture;

/// Everything that a run reads.
///
/// Inputs that differ in a few bytes share what they have in common: to clone one is cheap, whatever files it has.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct ConcreteInput {
    /// What surrounds the run: its environment and its directory.
    pub fixture: Arc<Fixture>,
    /// The arguments behind the program's name. A zero byte ends the text of one; the bytes behind it are room into which the
    /// text of another input may grow.
    pub arguments: Vec<Vec<u8>>,
    /// Standard input; `None`: there is nothing to read.
    pub stdin: Option<Vec<u8>>,
    /// Files, by absolute path or by a path from the working directory on.
    pub files: FileMap,
    /// The objects that the program makes symbolic itself (`klee_make_symbolic`), in the order in which it asks for them.
    pub objects: Vec<(String, Vec<u8>)>,
}

/// The files of an input, by path.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct FileMap(Arc<BTreeMap<PathBuf, InputFile>>);

/// A file of an input.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct InputFile {
    /// What is in it.
    pub content: Arc<Vec<u8>>,
    /// Its permissions, if not the usual ones.
    pub mode: Option<u32>,
}

impl ConcreteInput {
    /// The text of each argument.
    pub fn texts(&self) -> impl Iterator<Item = &[u8]> {
        self.arguments.iter().map(|argument| text(argument))
    }

    /// The same input with arguments that are no longer than their texts.
    pub fn trimmed(&self) -> ConcreteInput {
        ConcreteInput { arguments: self.texts().map(<[u8]>::to_vec).collect(), ..self.clone() }
    }

    /// How many bytes can be changed in it: those of arguments, standard input and files.
    pub fn bytes(&self) -> u64 {
        let arguments = self.arguments.iter().map(Vec::len);
        let files = self.files.iter().map(|(_, file)| file.content.len());
        arguments.chain(files).chain(self.stdin.iter().map(Vec::len)).map(|length| length as u64).sum()
    }
}

/// An argument up to its first zero byte.
fn text(argument: &[u8]) -> &[u8] {
    argument.split(|&byte| byte == 0).next().unwrap_or_default()
}

impl FileMap {
    /// The file at a path.
    pub fn get(&self, path: &Path) -> Option<&InputFile> {
        self.0.get(path)
    }

    /// What is in the file at a path.
    pub fn content(&self, path: &Path) -> Option<&[u8]> {
        self.get(path).map(|file| file.content.as_slice())
    }

    /// All files, in the order of their paths.
    pub fn iter(&self) -> impl Iterator<Item = (&PathBuf, &InputFile)> {
        self.0.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a file, or another one in its place.
    pub fn insert(&mut self, path: PathBuf, file: InputFile) {
        Arc::make_mut(&mut self.0).insert(path, file);
    }

    /// Makes the content of a file another. One that is there keeps its permissions.
    pub fn set(&mut self, path: &Path, content: Vec<u8>) {
        let file = Arc::make_mut(&mut self.0).entry(path.to_owned()).or_default();
        file.content = Arc::new(content);
    }

    /// What is in the file at a path, to be changed.
    pub fn content_mut(&mut self, path: &Path) -> Option<&mut Vec<u8>> {
        if !self.0.contains_key(path) {
            return None;
        }
        Arc::make_mut(&mut self.0).get_mut(path).map(|file| Arc::make_mut(&mut file.content))
    }

    /// Whether both are one map in memory: then nothing has to be compared.
    pub fn is_same(&self, other: &FileMap) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The files that another map does not have, or has otherwise. What both share in memory is not compared.
    pub fn changed_from<'a>(&'a self, other: &'a FileMap) -> impl Iterator<Item = (&'a PathBuf, &'a InputFile)> {
        let is_same = |(path, file): &(&PathBuf, &InputFile)| {
            let same = |known: &InputFile| {
                known.mode == file.mode && (Arc::ptr_eq(&known.content, &file.content) || known == *file)
            };
            other.0.get(*path).is_some_and(same)
        };
        let all = if self.is_same(other) { None } else { Some(self.0.iter()) };
        all.into_iter().flatten().filter(move |entry| !is_same(entry))
    }
}

impl From<BTreeMap<PathBuf, InputFile>> for FileMap {
    fn from(files: BTreeMap<PathBuf, InputFile>) -> FileMap {
        FileMap(Arc::new(files))
    }
}

impl FromIterator<(PathBuf, InputFile)> for FileMap {
    fn from_iter<T: IntoIterator<Item = (PathBuf, InputFile)>>(files: T) -> FileMap {
        FileMap(Arc::new(files.into_iter().collect()))
    }
}

impl From<Vec<u8>> for InputFile {
    /// A file with the usual permissions.
    fn from(content: Vec<u8>) -> InputFile {
        InputFile { content: Arc::new(content), mode: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_file_is_other_than_the_one_it_was_made_of() {
        let file = |text: &str| InputFile::from(text.as_bytes().to_vec());
        let files: FileMap = [("a".into(), file("1")), ("b".into(), file("2"))].into_iter().collect();
        let mut other = files.clone();
        assert!(other.is_same(&files) && other.changed_from(&files).next().is_none());
        other.content_mut(Path::new("b")).unwrap().push(b'!');
        other.set(Path::new("c"), b"3".to_vec());
        let changed: Vec<_> = other.changed_from(&files).map(|(path, _)| path.to_str().unwrap()).collect();
        assert_eq!((changed, files.content(Path::new("b"))), (vec!["b", "c"], Some(b"2".as_slice())));
        assert!(other.content_mut(Path::new("d")).is_none());
    }

    #[test]
    fn room_behind_an_argument_is_not_part_of_its_text() {
        let input = ConcreteInput { arguments: vec![b"ab\0\0".to_vec(), Vec::new()], ..ConcreteInput::default() };
        assert_eq!(input.trimmed().arguments, [b"ab".to_vec(), Vec::new()]);
        assert_eq!((input.bytes(), input.trimmed().bytes()), (4, 2));
    }
}
