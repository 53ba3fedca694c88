//! What differs between a seed and an input near it.

use std::fmt;
use std::path::{Component, Path, PathBuf};

use byway_input::ConcreteInput;
use serde::{Deserialize, Serialize};

use crate::shell;
use crate::text::{self, Text};

/// So many bytes are shown of each side of a change.
const SHOWN: usize = 16;

/// Bytes that differ from the seed's.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Record", into = "Record")]
pub struct InputChange {
    /// Where they are: `argv[1]`, `stdin`, or the path of a file, from the working directory if it is near that.
    pub source: String,
    /// From where on.
    pub offset: u64,
    /// The seed's bytes; nothing where the seed has ended.
    pub from: Vec<u8>,
    /// What is there instead.
    pub to: Vec<u8>,
    /// Of an argument: all of it, before and after.
    pub whole: Option<(Vec<u8>, Vec<u8>)>,
}

/// A change in JSON.
#[derive(Serialize, Deserialize)]
struct Record {
    source: String,
    offset: u64,
    /// In hexadecimal.
    from: String,
    to: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    whole: Option<(Text, Text)>,
}

impl From<InputChange> for Record {
    fn from(change: InputChange) -> Record {
        let InputChange { source, offset, from, to, whole } = change;
        let whole = whole.map(|(before, after)| (Text(before), Text(after)));
        Record { source, offset, from: text::to_hex(&from), to: text::to_hex(&to), whole }
    }
}

impl From<Record> for InputChange {
    fn from(record: Record) -> InputChange {
        let bytes = |digits: &str| text::from_hex(digits).unwrap_or_default();
        let whole = record.whole.map(|(before, after)| (before.0, after.0));
        let (from, to) = (bytes(&record.from), bytes(&record.to));
        InputChange { source: record.source, offset: record.offset, from, to, whole }
    }
}

impl InputChange {
    /// How many bytes are not the seed's.
    pub fn bytes(&self) -> usize {
        let differ = self.from.iter().zip(&self.to).filter(|(from, to)| from != to).count();
        differ + self.from.len().abs_diff(self.to.len())
    }
}

impl fmt::Display for InputChange {
    /// `argv[1]: -c3-5,6- -> -c3-5,8-`, or `file.dat, offset 0x1073: 04 -> 00`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.whole {
            Some((before, after)) => {
                write!(formatter, "{}: {} -> {}", self.source, shell::shown(before), shell::shown(after))
            }
            None => {
                let (source, offset) = (&self.source, self.offset);
                write!(formatter, "{source}, offset {offset:#x}: {} -> {}", hex(&self.from), hex(&self.to))
            }
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "nothing".to_owned();
    }
    let shown: Vec<String> = bytes.iter().take(SHOWN).map(|byte| format!("{byte:02x}")).collect();
    let more = if bytes.len() > SHOWN { format!(" ... ({} bytes)", bytes.len()) } else { String::new() };
    shown.join(" ") + &more
}

/// What differs, in the order of arguments, standard input, files. Bytes that are next to each other are one change, and
/// so are all of an argument.
pub fn changes(seed: &ConcreteInput, input: &ConcreteInput) -> Vec<InputChange> {
    let mut changes = Vec::new();
    let count = seed.arguments.len().max(input.arguments.len());
    for index in 0..count {
        let of = |input: &ConcreteInput| input.texts().nth(index).unwrap_or_default().to_vec();
        changes.extend(argument(format!("argv[{}]", index + 1), of(seed), of(input)));
    }
    let bytes = |input: &ConcreteInput| input.stdin.clone().unwrap_or_default();
    changes.extend(content("stdin", &bytes(seed), &bytes(input)));
    let directory = seed.fixture.directory.as_deref().unwrap_or(Path::new("/"));
    for (path, after) in input.files.changed_from(&seed.files) {
        let before = seed.files.content(path).unwrap_or_default();
        changes.extend(content(&from_directory(path, directory), before, &after.content));
    }
    changes
}

fn argument(source: String, before: Vec<u8>, after: Vec<u8>) -> Option<InputChange> {
    let all = content(&source, &before, &after);
    let (first, last) = (all.first()?, all.last()?);
    let (start, from_end) = (first.offset as usize, last.offset as usize + last.from.len());
    let to_end = last.offset as usize + last.to.len();
    let (from, to) = (before[start..from_end].to_vec(), after[start..to_end].to_vec());
    Some(InputChange { source, offset: first.offset, from, to, whole: Some((before, after)) })
}

fn content(source: &str, before: &[u8], after: &[u8]) -> Vec<InputChange> {
    let mut changes: Vec<InputChange> = Vec::new();
    let mut end = 0;
    for at in (0..before.len().max(after.len())).filter(|&at| before.get(at) != after.get(at)) {
        if changes.is_empty() || end < at {
            changes.push(InputChange { source: source.to_owned(), offset: at as u64, ..InputChange::default() });
        }
        if let Some(change) = changes.last_mut() {
            change.from.extend(before.get(at));
            change.to.extend(after.get(at));
        }
        end = at + 1;
    }
    changes
}

/// A path as somebody in `directory` would name it, unless they would have to go up too far.
pub fn from_directory(path: &Path, directory: &Path) -> String {
    const UP: usize = 2;
    let common = path.components().zip(directory.components()).take_while(|(one, other)| one == other).count();
    let up = directory.components().count() - common;
    let near = up <= UP && common > 1;
    if !near {
        return shell::printable(path.as_os_str().as_encoded_bytes());
    }
    let down = path.components().skip(common);
    let relative: PathBuf = std::iter::repeat_n(Component::ParentDir, up).chain(down).collect();
    shell::printable(relative.as_os_str().as_encoded_bytes())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use byway_input::{Fixture, InputFile};

    use super::*;

    fn input(arguments: &[&str], stdin: &[u8], file: &[u8]) -> ConcreteInput {
        ConcreteInput {
            fixture: Arc::new(Fixture { directory: Some("/src/tests".into()), ..Fixture::default() }),
            arguments: arguments.iter().skip(1).map(|text| text.as_bytes().to_vec()).collect(),
            stdin: Some(stdin.to_vec()),
            files: [("/src/tests/file.dat".into(), InputFile::from(file.to_vec()))].into_iter().collect(),
            ..ConcreteInput::default()
        }
    }

    fn shown(seed: &ConcreteInput, input: &ConcreteInput) -> Vec<String> {
        changes(seed, input).iter().map(InputChange::to_string).collect()
    }

    #[test]
    fn changes_read_as_a_maintainer_would_say_them() {
        let mut before = vec![0; 0x1074];
        before[0x1073] = 4;
        let seed = input(&["cut", "-c3-5,6-"], b"abcdef", &before);
        let after = input(&["cut", "-c3-5,8-"], b"abXYef", &[0; 0x1074]);
        let lines = ["argv[1]: -c3-5,6- -> -c3-5,8-", "stdin, offset 0x2: 63 64 -> 58 59"];
        assert_eq!(shown(&seed, &after), [&lines[..], &["file.dat, offset 0x1073: 04 -> 00"]].concat());
        assert!(changes(&seed, &seed).is_empty());
    }

    #[test]
    fn bytes_next_to_each_other_are_one_change() {
        let all = content("stdin", b"0123456789", b"01xx45x7");
        let places: Vec<_> = all.iter().map(|change| (change.offset, change.from.len(), change.to.len())).collect();
        assert_eq!(places, [(2, 2, 2), (6, 1, 1), (8, 2, 0)]);
        assert_eq!(all[2].to_string(), "stdin, offset 0x8: 38 39 -> nothing");
        assert_eq!(all.iter().map(InputChange::bytes).sum::<usize>(), 5);
    }

    #[test]
    fn an_argument_is_shown_whole_and_harmless() {
        let seed = input(&["x", "a b"], b"", b"");
        assert_eq!(shown(&seed, &input(&["x", ""], b"", b"")), ["argv[1]: 'a b' -> ''"]);
        assert_eq!(shown(&seed, &input(&["x", "\x1b[2J"], b"", b"")), ["argv[1]: 'a b' -> $'\\x1b[2J'"]);
        let two = &changes(&input(&["x", "abcd"], b"", b""), &input(&["x", "xbcx"], b"", b""))[0];
        assert_eq!((two.offset, &two.to[..], two.bytes()), (0, &b"xbcx"[..], 2));
    }

    #[test]
    fn files_are_named_from_where_the_program_ran() {
        let named = |path: &str| from_directory(Path::new(path), Path::new("/home/me/src/tests"));
        assert_eq!(named("/home/me/src/tests/a"), "a");
        assert_eq!(named("/home/me/src/data/a"), "../data/a");
        assert_eq!(named("/home/me/a"), "../../a");
        assert_eq!(named("/home/a"), "/home/a");
        assert_eq!(named("/tmp/x"), "/tmp/x");
    }

    #[test]
    fn changes_come_back_from_json() {
        let seed = input(&["x", "a"], b"12", b"");
        for change in changes(&seed, &input(&["x", "\u{1}"], b"13", b"4")) {
            let json = serde_json::to_string(&change).unwrap();
            assert_eq!(serde_json::from_str::<InputChange>(&json).unwrap(), change);
        }
    }
}
